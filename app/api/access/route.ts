import { renewAccessCookie } from '@/lib/http/resources/forward-auth'
import { route } from '@/lib/http/route'

export const GET = route('GET /api/access', renewAccessCookie)
