import { deleteAccount } from '@/lib/auth/delete-account'
import { route } from '@/lib/http/route'
import { accountEnded } from '@/lib/http/session-response'

export const POST = route('ignored', async ({ client }) => {
  await deleteAccount(client)
  return accountEnded()
})
