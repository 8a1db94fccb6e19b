import { preflight, route } from '@/lib/http/route'
import { requestDevice } from '@/lib/openid/requests/devices'

export const POST = route('POST /api/oauth/device', requestDevice)
export const OPTIONS = preflight('/api/oauth/device')
