import { remembersUsername } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/hint', remembersUsername)
