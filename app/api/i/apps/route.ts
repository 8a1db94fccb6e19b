import { route } from '@/lib/http/route'
import { listGrantedApps } from '@/lib/openid/apps/grants'

export const POST = route('POST /api/i/apps', listGrantedApps)
