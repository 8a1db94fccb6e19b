import { signOut } from '@/lib/auth/sessions/ending/sign-out'
import { preflight, route } from '@/lib/http/route'
import { endsSession } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/signout', endsSession(signOut))
export const OPTIONS = preflight('/api/signout')
