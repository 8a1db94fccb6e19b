import { revokeListedSession } from '@/lib/auth/sessions/revocation/revoke-listed-session'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { endsSessionIfOwn } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/sessions/revoke', endsSessionIfOwn(revokeListedSession)),
)
