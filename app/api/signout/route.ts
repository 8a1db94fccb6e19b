import { endSession } from '@/lib/auth/session'
import { route } from '@/lib/web/route'
import { sessionEnded } from '@/lib/web/session'

export const POST = route('ignored', async ({ client }) => {
  await endSession(client.session)
  return sessionEnded()
})
