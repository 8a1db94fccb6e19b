import { changePassword } from '@/lib/auth/passwords/change-password'
import { changePasswordRules } from '@/lib/auth/passwords/password-rules'
import { route } from '@/lib/http/route'
import { renewsSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/password', renewsSession(changePassword), changePasswordRules)
