import { route } from '@/lib/http/route'
import { revokeApp } from '@/lib/openid/apps/grants'

export const POST = route('POST /api/i/apps/revoke', revokeApp)
