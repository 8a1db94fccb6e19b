import { verifyRegistration } from '@/lib/auth/passkeys/registration'
import { registersPasskey } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/auth/register/verify', registersPasskey(verifyRegistration))
