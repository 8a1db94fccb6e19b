import { signInWithCode } from '@/lib/auth/recovery'
import { route } from '@/lib/web/route'
import { sessionOpened } from '@/lib/web/session'

export const POST = route('required', async (call) =>
  sessionOpened(call, 200, await signInWithCode(call.body, call.client)),
)
