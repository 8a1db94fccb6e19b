import { describeAccount } from '@/lib/auth/describe-account'
import { requireSession } from '@/lib/auth/sessions'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i', async ({ context }) =>
  json(200, describeAccount(await requireSession(context.session))),
)
