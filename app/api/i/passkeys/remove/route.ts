import { removePasskey } from '@/lib/auth/passkeys/manage'
import { noContent } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/passkeys/remove', async ({ body, context }) => {
  await removePasskey(body, context)
  return noContent()
})
