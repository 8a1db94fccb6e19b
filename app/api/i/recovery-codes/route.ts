import { makeRecoveryCodes } from '@/lib/auth/recovery'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('ignored', async ({ client }) => json(201, await makeRecoveryCodes(client)))
