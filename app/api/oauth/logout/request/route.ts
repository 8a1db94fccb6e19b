import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { describeLogout } from '@/lib/openid/logout/logout'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/oauth/logout/request', describeLogout),
)
