import { renamePasskey } from '@/lib/auth/passkeys/manage'
import { noContent } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/passkeys/rename', async ({ body, context }) => {
  await renamePasskey(body, context)
  return noContent()
})
