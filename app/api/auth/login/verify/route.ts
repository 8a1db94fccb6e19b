import { verifyAuthentication } from '@/lib/auth/passkeys/verify-authentication'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('/api/auth/login/verify', async (call) =>
  sessionOpened(call, 200, await verifyAuthentication(call.body, call.context)),
)
