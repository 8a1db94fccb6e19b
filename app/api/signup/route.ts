import { signUp } from '@/lib/auth/accounts/sign-up'
import { signUpRules } from '@/lib/auth/passwords/password-rules'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/signup', opensSession(signUp, 'password'), signUpRules)
