import { signInWithRecoveryCode } from '@/lib/auth/recovery-codes'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('/api/signin/recovery', async (call) =>
  sessionOpened(call, 200, await signInWithRecoveryCode(call.body, call.context)),
)
