import { renamePasskey } from '@/lib/auth/own-passkeys'
import { noContent } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('required', async ({ body, client }) => {
  await renamePasskey(body, client)
  return noContent()
})
