import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { userinfo } from '@/lib/openid/tokens/userinfo'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('GET /api/oauth/userinfo', userinfo),
  route('POST /api/oauth/userinfo', userinfo),
)
