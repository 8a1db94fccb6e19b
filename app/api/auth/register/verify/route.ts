import { finishRegistration } from '@/lib/auth/registration'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'
import { sessionOpened } from '@/lib/web/session'

export const POST = route('required', async (call) => {
  const { user, passkey, expiresAt, opened } = await finishRegistration(call.body, call.client)
  return opened ? sessionOpened(call, 201, opened, { passkey }) : json(201, { user, passkey, expiresAt })
})
