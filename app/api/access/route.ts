import { access } from '@/lib/http/resources/forward-auth'
import { route } from '@/lib/http/route'

export const dynamic = 'force-dynamic'
export const GET = route('GET /api/access', access)
