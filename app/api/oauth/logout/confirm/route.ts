import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { endsSessionForApp } from '@/lib/http/sessions/session-actions'
import { confirmLogout } from '@/lib/openid/logout/logout'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/oauth/logout/confirm', endsSessionForApp(confirmLogout)),
)
