import { verifyRegistration } from '@/lib/auth/passkeys/verify-registration'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'
import { sessionOpened } from '@/lib/http/session-response'

export const POST = route('/api/auth/register/verify', async (call) => {
  const { user, passkey, expiresAt, opened } = await verifyRegistration(call.body, call.context)
  return opened ? sessionOpened(call, 201, opened, { passkey }) : json(201, { user, passkey, expiresAt })
})
