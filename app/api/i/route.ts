import { describeAccount } from '@/lib/auth/sessions/find'
import { preflight, route } from '@/lib/http/route'

export const POST = route('POST /api/i', ({ session }) => describeAccount(session))
export const OPTIONS = preflight('/api/i')
