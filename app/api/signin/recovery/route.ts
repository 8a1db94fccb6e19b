import { signInWithRecoveryCode } from '@/lib/auth/recovery-codes'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('required', async (call) =>
  sessionOpened(call, 200, await signInWithRecoveryCode(call.body, call.context)),
)
