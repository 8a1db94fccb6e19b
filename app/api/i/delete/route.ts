import { deleteAccount } from '@/lib/auth/leave'
import { route } from '@/lib/web/route'
import { accountEnded } from '@/lib/web/session'

export const POST = route('ignored', async ({ client }) => {
  await deleteAccount(client)
  return accountEnded()
})
