import { everyMethod } from '@/lib/http/every-method'
import { authorizationEndpoint, repeatAuthorization } from '@/lib/http/resources/authorization-endpoint'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /api/oauth/authorize', authorizationEndpoint),
  resource('POST /api/oauth/authorize', repeatAuthorization),
)
