import { changePassword } from '@/lib/auth/passwords/change-password'
import { changePasswordRules } from '@/lib/auth/passwords/password-rules'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { renewsSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/password', renewsSession(changePassword), changePasswordRules),
)
