import { revokeListedSession } from '@/lib/auth/sessions/revocation/revoke-listed-session'
import { route } from '@/lib/http/route'
import { endsSessionIfOwn } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/sessions/revoke', endsSessionIfOwn(revokeListedSession))
