import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication-options'
import { route } from '@/lib/http/route'

export const POST = route('/api/auth/login/options', ({ body, context }) => createAuthenticationOptions(body, context))
