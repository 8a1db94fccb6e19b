import { signUp } from '@/lib/auth/account/password-sign-up'
import { signUpRules } from '@/lib/auth/passwords/password-rules'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/signup', opensSession(signUp, 'password'), signUpRules),
)
