import { route } from '@/lib/http/route'
import { answerRequest } from '@/lib/openid/requests/consent'

export const POST = route('POST /api/oauth/consent', answerRequest)
