import { removePasskey } from '@/lib/auth/passkeys/remove-passkey'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { renewsSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/passkeys/remove', renewsSession(removePasskey)),
)
