import { everyMethod } from '@/lib/http/every-method'
import { renewAccessCookie } from '@/lib/http/resources/renew-access-cookie'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(route('GET /api/access', renewAccessCookie))
