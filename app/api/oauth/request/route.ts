import { route } from '@/lib/http/route'
import { describeRequest } from '@/lib/openid/requests/consent'

export const POST = route('POST /api/oauth/request', describeRequest)
