import { deleteAccount } from '@/lib/auth/delete-account'
import { route } from '@/lib/http/route'
import { accountEnded } from '@/lib/http/session-response'

export const POST = route('/api/i/delete', async ({ context }) => {
  await deleteAccount(context)
  return accountEnded()
})
