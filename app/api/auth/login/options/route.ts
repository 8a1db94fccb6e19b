import { startLogin } from '@/lib/auth/login-options'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('optional', async ({ body, client }) => json(200, await startLogin(body, client)))
