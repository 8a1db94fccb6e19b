import { signInWithRecoveryCode } from '@/lib/auth/recovery/codes'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/signin/recovery', opensSession(signInWithRecoveryCode, null))
