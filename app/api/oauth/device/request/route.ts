import { route } from '@/lib/http/route'
import { describeDevice } from '@/lib/openid/requests/devices'

export const POST = route('POST /api/oauth/device/request', describeDevice)
