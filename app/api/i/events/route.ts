import { listEvents } from '@/lib/auth/events'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/events', async ({ context }) => json(200, await listEvents(context)))
