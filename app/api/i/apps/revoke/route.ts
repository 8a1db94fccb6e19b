import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { revokeApp } from '@/lib/openid/grants/granted-apps'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(route('POST /api/i/apps/revoke', revokeApp))
