import { logoutEndpoint, repeatLogout } from '@/lib/http/resources/openid'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/oauth/logout', logoutEndpoint)
export const POST = resource('POST /api/oauth/logout', repeatLogout)
