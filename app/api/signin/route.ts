import { signInWithPassword } from '@/lib/auth/passwords/password-sign-in'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/signin', opensSession(signInWithPassword, 'password'))
