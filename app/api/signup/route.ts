import { signUp } from '@/lib/auth/account/password-sign-up'
import { signUpRules } from '@/lib/auth/passwords/password-rules'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signup', opensSession(signUp, 'password'), signUpRules)
