import { endsSessionForApp } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'
import { confirmLogout } from '@/lib/openid/logout'

export const POST = route('POST /api/oauth/logout/confirm', endsSessionForApp(confirmLogout))
