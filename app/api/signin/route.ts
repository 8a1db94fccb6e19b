import { signInWithPassword } from '@/lib/auth/passwords/password-sign-in'
import { route } from '@/lib/http/route'
import { opensSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signin', opensSession(signInWithPassword, 'password'))
