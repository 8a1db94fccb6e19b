import { route } from '@/lib/http/route'
import { listAppsOfPerson } from '@/lib/openid/apps/grants'

export const POST = route('POST /api/i/apps', listAppsOfPerson)
