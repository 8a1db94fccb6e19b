import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { recordDecision } from '@/lib/openid/requests/consent'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/oauth/consent', recordDecision),
)
