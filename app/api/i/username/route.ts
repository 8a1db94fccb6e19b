import { changeUsername } from '@/lib/auth/accounts/names'
import { renamesAccount } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/username', renamesAccount(changeUsername))
