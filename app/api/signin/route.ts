import { signInWithPassword } from '@/lib/auth/password-sign-in'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('/api/signin', async (call) =>
  sessionOpened(call, 200, await signInWithPassword(call.body, call.context)),
)
