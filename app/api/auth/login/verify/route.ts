import { verifyAuthentication } from '@/lib/auth/passkeys/authentication'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/auth/login/verify', opensSession(verifyAuthentication, 'passkey'))
