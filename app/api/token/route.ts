import { getAccessToken } from '@/lib/auth/sessions/get-access-token'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(route('POST /api/token', getAccessToken))
