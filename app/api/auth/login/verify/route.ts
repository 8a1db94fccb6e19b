import { verifyAuthentication } from '@/lib/auth/passkeys/verify-authentication'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/auth/login/verify', opensSession(verifyAuthentication, 'passkey'))
