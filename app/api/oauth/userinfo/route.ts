import { preflight, route } from '@/lib/http/route'
import { userinfo } from '@/lib/openid/tokens/access-and-id-tokens'

export const GET = route('GET /api/oauth/userinfo', userinfo)
export const POST = route('POST /api/oauth/userinfo', userinfo)
export const OPTIONS = preflight('/api/oauth/userinfo')
