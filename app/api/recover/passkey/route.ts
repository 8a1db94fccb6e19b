import { recoverWithPasskey } from '@/lib/auth/recovery/by-mail'
import { registersPasskey } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/recover/passkey', registersPasskey(recoverWithPasskey))
