import { getAccessToken } from '@/lib/auth/tokens/access-tokens'
import { preflight, route } from '@/lib/http/route'

export const POST = route('POST /api/token', getAccessToken)
export const OPTIONS = preflight('/api/token')
