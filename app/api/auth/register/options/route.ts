import { startRegistration } from '@/lib/auth/registration-options'
import { json } from '@/lib/web/answer'
import { route } from '@/lib/web/route'

export const POST = route('required', async ({ body, client }) => json(200, await startRegistration(body, client)))
