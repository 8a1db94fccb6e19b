import { verifyEmail } from '@/lib/auth/accounts/email'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/email/verify', verifyEmail)
