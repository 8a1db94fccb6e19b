import { changePassword } from '@/lib/auth/change-password'
import { route } from '@/lib/http/route'
import { sessionRenewed } from '@/lib/http/session-response'

export const POST = route('/api/i/password', async (call) =>
  sessionRenewed(call, await changePassword(call.body, call.context)),
)
