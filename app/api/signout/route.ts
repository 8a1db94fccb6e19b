import { revokeSession } from '@/lib/auth/sessions'
import { route } from '@/lib/http/route'
import { sessionEnded } from '@/lib/http/session-response'

export const POST = route('/api/signout', async ({ context }) => {
  await revokeSession(context.session)
  return sessionEnded()
})
