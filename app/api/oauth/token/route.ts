import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { handleTokenRequest } from '@/lib/openid/tokens/token-endpoint'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/oauth/token', handleTokenRequest),
)
