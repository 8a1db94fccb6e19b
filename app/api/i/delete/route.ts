import { deleteAccount } from '@/lib/auth/accounts/delete'
import { endsAccount } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/delete', endsAccount(deleteAccount))
