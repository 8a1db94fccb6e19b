import { describeAccount } from '@/lib/auth/account'
import { requireSession } from '@/lib/auth/session'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('ignored', async ({ client }) =>
  json(200, describeAccount(await requireSession(client.session))),
)
