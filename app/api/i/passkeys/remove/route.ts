import { removePasskey } from '@/lib/auth/passkeys/manage'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/passkeys/remove', ({ body, context }) => removePasskey(body, context))
