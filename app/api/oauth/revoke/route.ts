import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { revokeToken } from '@/lib/openid/tokens/revoke'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/oauth/revoke', revokeToken),
)
