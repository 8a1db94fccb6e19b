import { changeUsername } from '@/lib/auth/change-username'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/username', async ({ body, context }) =>
  json(200, await changeUsername(body, context)),
)
