import { signInWithRecoveryCode } from '@/lib/auth/account/recovery-codes'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signin/recovery', opensSession(signInWithRecoveryCode, null))
