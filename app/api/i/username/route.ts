import { changeUsername } from '@/lib/auth/account/change-username'
import { route } from '@/lib/http/route'
import { renamesAccount } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/username', renamesAccount(changeUsername))
