import { verifyRegistration } from '@/lib/auth/passkeys/verify-registration'
import { route } from '@/lib/http/route'
import { registersPasskey } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/auth/register/verify', registersPasskey(verifyRegistration))
