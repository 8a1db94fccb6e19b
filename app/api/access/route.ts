import { everyMethod } from '@/lib/http/every-method'
import { access } from '@/lib/http/resources/access'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(route('GET /api/access', access))
