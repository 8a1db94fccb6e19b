import { renamePasskey } from '@/lib/auth/passkeys/manage'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/passkeys/rename', renamePasskey)
