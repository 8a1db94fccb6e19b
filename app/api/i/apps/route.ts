import { route } from '@/lib/http/route'
import { listGrantedApps } from '@/lib/openid/grants/granted-apps'

export const POST = route('POST /api/i/apps', listGrantedApps)
