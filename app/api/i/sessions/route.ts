import { listSessions } from '@/lib/auth/sessions/list'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/sessions', listSessions)
