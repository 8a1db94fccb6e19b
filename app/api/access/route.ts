import { renewAccessCookie } from '@/lib/http/resources/renew-access-cookie'
import { route } from '@/lib/http/route'

export const GET = route('GET /api/access', renewAccessCookie)
