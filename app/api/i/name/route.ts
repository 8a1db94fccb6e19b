import { changeDisplayName } from '@/lib/auth/accounts/names'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/name', changeDisplayName)
