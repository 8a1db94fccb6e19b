import { route } from '@/lib/http/route'
import { revokeApp } from '@/lib/openid/grants/revoke-app'

export const POST = route('POST /api/i/apps/revoke', revokeApp)
