import { preflight, route } from '@/lib/http/route'
import { revokeToken } from '@/lib/openid/token-endpoint'

export const POST = route('POST /api/oauth/revoke', revokeToken)
export const OPTIONS = preflight('/api/oauth/revoke')
