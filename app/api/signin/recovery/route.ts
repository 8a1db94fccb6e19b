import { signInWithRecoveryCode } from '@/lib/auth/recovery/sign-in'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/signin/recovery', opensSession(signInWithRecoveryCode, null)),
)
