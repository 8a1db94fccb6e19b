import { preflight, route } from '@/lib/http/route'
import { handleTokenRequest } from '@/lib/openid/token-endpoint'

export const POST = route('POST /api/oauth/token', handleTokenRequest)
export const OPTIONS = preflight('/api/oauth/token')
