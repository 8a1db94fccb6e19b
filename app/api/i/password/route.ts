import { changePassword } from '@/lib/auth/passwords/change-password'
import { changePasswordRules } from '@/lib/auth/passwords/password-rules'
import { renewsSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/password', renewsSession(changePassword), changePasswordRules)
