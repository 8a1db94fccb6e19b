import { renamePasskey } from '@/lib/auth/passkeys/rename-passkey'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/passkeys/rename', renamePasskey)
