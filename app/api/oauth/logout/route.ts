import { everyMethod } from '@/lib/http/every-method'
import { logoutEndpoint, repeatLogout } from '@/lib/http/resources/logout-endpoint'
import { resource } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  resource('GET /api/oauth/logout', logoutEndpoint),
  resource('POST /api/oauth/logout', repeatLogout),
)
