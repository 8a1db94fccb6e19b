import { route } from '@/lib/http/route'
import { recordDecision } from '@/lib/openid/requests/consent'

export const POST = route('POST /api/oauth/consent', recordDecision)
