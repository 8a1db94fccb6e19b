import { route } from '@/lib/http/route'
import { remembersUsername } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/hint', remembersUsername)
