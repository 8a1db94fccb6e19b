import { removePasskey } from '@/lib/auth/passkeys/remove-passkey'
import { route } from '@/lib/http/route'
import { renewsSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/passkeys/remove', renewsSession(removePasskey))
