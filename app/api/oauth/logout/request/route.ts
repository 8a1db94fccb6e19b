import { route } from '@/lib/http/route'
import { describeLogout } from '@/lib/openid/logout'

export const POST = route('POST /api/oauth/logout/request', describeLogout)
