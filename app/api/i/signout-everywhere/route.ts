import { signOutEverywhere } from '@/lib/auth/sessions/end'
import { renewsOrEndsSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/signout-everywhere', renewsOrEndsSession(signOutEverywhere))
