import { signOut } from '@/lib/auth/sessions/sign-out'
import { endsSession } from '@/lib/http/response/sessions'
import { preflight, route } from '@/lib/http/route'

export const POST = route('POST /api/signout', endsSession(signOut))
export const OPTIONS = preflight('/api/signout')
