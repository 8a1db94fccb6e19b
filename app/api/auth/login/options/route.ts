import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication-options'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/auth/login/options', createAuthenticationOptions),
)
