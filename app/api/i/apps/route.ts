import { route } from '@/lib/http/route'
import { listApps } from '@/lib/openid/grants/granted-apps'

export const POST = route('POST /api/i/apps', listApps)
