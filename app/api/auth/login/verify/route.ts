import { finishLogin } from '@/lib/auth/login'
import { route } from '@/lib/web/route'
import { sessionOpened } from '@/lib/web/session'

export const POST = route('required', async (call) =>
  sessionOpened(call, 200, await finishLogin(call.body, call.client)),
)
