import { signOutEverywhere } from '@/lib/auth/sessions/revocation/sign-out-everywhere'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { renewsOrEndsSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/signout-everywhere', renewsOrEndsSession(signOutEverywhere)),
)
