import { signOut } from '@/lib/auth/sessions'
import { route } from '@/lib/http/route'
import { endsSession } from '@/lib/http/session-response'

export const POST = route('/api/signout', endsSession(signOut))
