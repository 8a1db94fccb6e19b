import { route } from '@/lib/http/route'
import { recordConsent } from '@/lib/openid/requests/consent'

export const POST = route('POST /api/oauth/consent', recordConsent)
