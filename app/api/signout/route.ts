import { signOut } from '@/lib/auth/sessions/revocation/sign-out'
import { preflight } from '@/lib/http/dispatch'
import { route } from '@/lib/http/route'
import { endsSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signout', endsSession(signOut))
export const OPTIONS = preflight('/api/signout')
