import { getAccessToken } from '@/lib/auth/get-access-token'
import { preflight, route } from '@/lib/http/route'

export const POST = route('/api/token', ({ body, context, clientOrigin }) =>
  getAccessToken(body, context, clientOrigin),
)
export const OPTIONS = preflight
