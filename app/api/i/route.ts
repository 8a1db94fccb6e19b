import { describeAccount } from '@/lib/auth/sessions/find'
import { preflight } from '@/lib/http/dispatch'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i', ({ session }) => describeAccount(session))
export const OPTIONS = preflight('/api/i')
