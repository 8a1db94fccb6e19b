import { verifyRegistration } from '@/lib/auth/passkeys/verify-registration'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { registersPasskey } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/auth/register/verify', registersPasskey(verifyRegistration)),
)
