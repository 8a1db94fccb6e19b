import { signUpRules } from '@/lib/auth/password-rules'
import { signUp } from '@/lib/auth/sign-up'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/session-response'

export const POST = route('POST /api/signup', opensSession(signUp, 'password'), signUpRules)
