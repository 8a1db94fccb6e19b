import { listEvents } from '@/lib/auth/account/events/list-events'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/events', listEvents)
