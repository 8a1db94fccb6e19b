import { describeAccount } from '@/lib/auth/describe-account'
import { requireSession } from '@/lib/auth/sessions'
import { preflight, route } from '@/lib/http/route'

export const POST = route('POST /api/i', async ({ context }) => describeAccount(await requireSession(context.session)))
export const OPTIONS = preflight
