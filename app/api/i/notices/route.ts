import { listNotableEvents } from '@/lib/auth/account/list-events'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/notices', listNotableEvents)
