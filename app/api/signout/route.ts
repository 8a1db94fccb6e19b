import { signOut } from '@/lib/auth/sessions/revocation/sign-out'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { endsSession } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/signout', endsSession(signOut)),
)
