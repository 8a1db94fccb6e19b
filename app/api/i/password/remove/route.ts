import { removePassword } from '@/lib/auth/passwords/remove-password'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/password/remove', removePassword)
