import { removePasskey } from '@/lib/auth/own-passkeys'
import { noContent } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('required', async ({ body, client }) => {
  await removePasskey(body, client)
  return noContent()
})
