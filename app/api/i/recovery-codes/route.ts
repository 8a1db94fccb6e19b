import { createRecoveryCodes } from '@/lib/auth/recovery-codes'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/recovery-codes', async ({ context }) => json(201, await createRecoveryCodes(context)))
