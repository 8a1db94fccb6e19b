import { deleteAccount } from '@/lib/auth/account/delete-account'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
import { endsAccount } from '@/lib/http/sessions/session-actions'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/delete', endsAccount(deleteAccount)),
)
