import { startLogin } from '@/lib/auth/passkeys/authentication-options'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('optional', async ({ body, client }) => json(200, await startLogin(body, client)))
