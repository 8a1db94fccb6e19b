import { removePassword } from '@/lib/auth/passwords/change-password'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/password/remove', removePassword)
