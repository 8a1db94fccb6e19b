import { openPreflight, route } from '@/lib/http/route'
import { exchangeCode } from '@/lib/openid/tokens/exchange'

export const POST = route('POST /api/oauth/token', exchangeCode)
export const OPTIONS = openPreflight
