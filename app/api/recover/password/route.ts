import { recoveryPasswordRules } from '@/lib/auth/passwords/password-rules'
import { recoverWithPassword } from '@/lib/auth/recovery/by-mail'
import { opensSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route(
  'POST /api/recover/password',
  opensSession(recoverWithPassword, 'password'),
  recoveryPasswordRules,
)
