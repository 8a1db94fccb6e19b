import { listEvents } from '@/lib/auth/account/events/list-events'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(route('POST /api/i/events', listEvents))
