import { revokeListedSession } from '@/lib/auth/sessions/ending/revoke-session'
import { route } from '@/lib/http/route'
import { mayEndSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/sessions/revoke', mayEndSession(revokeListedSession))
