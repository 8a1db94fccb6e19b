import { createAuthenticationOptions } from '@/lib/auth/passkeys/authentication-options'
import { json } from '@/lib/http/response'
import { route } from '@/lib/http/route'

export const POST = route('/api/auth/login/options', async ({ body, context }) =>
  json(200, await createAuthenticationOptions(body, context)),
)
