import { createRegistrationOptions } from '@/lib/auth/passkeys/registration-options'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/auth/register/options', createRegistrationOptions),
)
