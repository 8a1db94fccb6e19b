import { verifyRegistration } from '@/lib/auth/passkeys/verify-registration'
import { route } from '@/lib/http/route'
import { registersPasskey } from '@/lib/http/sessions/response'

export const POST = route('POST /api/auth/register/verify', registersPasskey(verifyRegistration))
