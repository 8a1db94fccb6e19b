import { signOutEverywhere } from '@/lib/auth/leave'
import { route } from '@/lib/web/route'
import { sessionEnded } from '@/lib/web/session'

export const POST = route('ignored', async ({ client }) => {
  await signOutEverywhere(client)
  return sessionEnded()
})
