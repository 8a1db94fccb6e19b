import { signUp } from '@/lib/auth/sign-up'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('/api/signup', async (call) =>
  sessionOpened(call, 201, await signUp(call.body, call.context)),
)
