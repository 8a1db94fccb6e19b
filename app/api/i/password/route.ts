import { changePassword } from '@/lib/auth/password'
import { route } from '@/lib/web/route'
import { sessionRenewed } from '@/lib/web/session'

export const POST = route('required', async (call) =>
  sessionRenewed(call, await changePassword(call.body, call.client)),
)
