import { deleteAccount } from '@/lib/auth/account/delete-account'
import { route } from '@/lib/http/route'
import { endsAccount } from '@/lib/http/sessions/session-actions'

export const POST = route('POST /api/i/delete', endsAccount(deleteAccount))
