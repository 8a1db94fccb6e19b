import { access } from '@/lib/http/resources/access'
import { route } from '@/lib/http/route'

export const GET = route('GET /api/access', access)
