import { createRegistrationOptions } from '@/lib/auth/passkeys/registration'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/auth/register/options', createRegistrationOptions)
