import { listEvents } from '@/lib/auth/events'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('ignored', async ({ client }) => json(200, await listEvents(client)))
