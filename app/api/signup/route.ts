import { signUpRules } from '@/lib/auth/passwords/password-rules'
import { signUpWithPassword } from '@/lib/auth/passwords/password-sign-up'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/signup', opensSession(signUpWithPassword, 'password'), signUpRules)
