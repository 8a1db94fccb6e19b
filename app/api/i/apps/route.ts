import { route } from '@/lib/http/route'
import { listAppsOfPerson } from '@/lib/openid/apps/apps-of-person'

export const POST = route('POST /api/i/apps', listAppsOfPerson)
