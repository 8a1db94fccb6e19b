import { preflight, route } from '@/lib/http/route'
import { giveTokens } from '@/lib/openid/tokens/token-endpoint'

export const POST = route('POST /api/oauth/token', giveTokens)
export const OPTIONS = preflight('/api/oauth/token')
