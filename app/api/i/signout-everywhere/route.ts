import { signOutEverywhere } from '@/lib/auth/delete-account'
import { route } from '@/lib/http/route'
import { sessionEnded } from '@/lib/http/session-response'

export const POST = route('ignored', async ({ client }) => {
  await signOutEverywhere(client)
  return sessionEnded()
})
