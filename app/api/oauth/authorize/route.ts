import { authorizationEndpoint, repeatAuthorization } from '@/lib/http/resources/openid'
import { resource } from '@/lib/http/route'

export const GET = resource('GET /api/oauth/authorize', authorizationEndpoint)
export const POST = resource('POST /api/oauth/authorize', repeatAuthorization)
