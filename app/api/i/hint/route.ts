import { route } from '@/lib/http/route'
import { remembersUsername } from '@/lib/http/sessions/response'

export const POST = route('POST /api/i/hint', remembersUsername)
