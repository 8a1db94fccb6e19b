import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { remembersUsername } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/hint', remembersUsername),
)
