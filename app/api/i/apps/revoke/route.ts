import { route } from '@/lib/http/route'
import { revokeApp } from '@/lib/openid/grants/granted-apps'

export const POST = route('POST /api/i/apps/revoke', revokeApp)
