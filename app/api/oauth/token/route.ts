import { preflight, route } from '@/lib/http/route'
import { answerTokenRequest } from '@/lib/openid/tokens/token-endpoint'

export const POST = route('POST /api/oauth/token', answerTokenRequest)
export const OPTIONS = preflight('/api/oauth/token')
