import { signInWithRecoveryCode } from '@/lib/auth/recovery/sign-in'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signin/recovery', opensSession(signInWithRecoveryCode, null))
