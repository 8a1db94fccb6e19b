import { listNotableEvents } from '@/lib/auth/account/events/notable-events'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/notices', listNotableEvents)
