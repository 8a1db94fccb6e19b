import { removePasskey } from '@/lib/auth/passkeys/manage'
import { renewsSession } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/passkeys/remove', renewsSession(removePasskey))
