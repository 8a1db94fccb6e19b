import { makeRecoveryCodes } from '@/lib/auth/recovery-codes'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('ignored', async ({ client }) => json(201, await makeRecoveryCodes(client)))
