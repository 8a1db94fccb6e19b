import { route } from '@/lib/http/route'
import { endsSessionForApp } from '@/lib/http/sessions/session-actions'
import { confirmLogout } from '@/lib/openid/logout/logout'

export const POST = route('POST /api/oauth/logout/confirm', endsSessionForApp(confirmLogout))
