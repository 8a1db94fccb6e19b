import { getAccessToken } from '@/lib/auth/tokens/access-tokens'
import { preflight } from '@/lib/http/dispatch'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/token', getAccessToken)
export const OPTIONS = preflight('/api/token')
