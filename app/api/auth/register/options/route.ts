import { createRegistrationOptions } from '@/lib/auth/passkeys/registration-options'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/auth/register/options', async ({ body, context }) =>
  json(200, await createRegistrationOptions(body, context)),
)
