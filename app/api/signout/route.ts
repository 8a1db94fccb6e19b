import { endSession } from '@/lib/auth/sessions'
import { route } from '@/lib/http/route'
import { sessionEnded } from '@/lib/http/session-response'

export const POST = route('ignored', async ({ client }) => {
  await endSession(client.session)
  return sessionEnded()
})
