import { signOutEverywhere } from '@/lib/auth/sessions/revocation/sign-out-everywhere'
import { route } from '@/lib/http/route'
import { renewsOrEndsSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/signout-everywhere', renewsOrEndsSession(signOutEverywhere))
