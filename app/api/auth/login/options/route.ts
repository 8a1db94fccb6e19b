import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/auth/login/options', createAuthenticationOptions)
