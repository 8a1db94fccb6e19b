import { route } from '@/lib/http/route'
import { answerDevice } from '@/lib/openid/requests/devices'

export const POST = route('POST /api/oauth/device/answer', answerDevice)
