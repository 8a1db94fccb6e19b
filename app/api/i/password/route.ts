import { changePassword } from '@/lib/auth/change-password'
import { route } from '@/lib/http/route'
import { renewsSession } from '@/lib/http/session-response'

export const POST = route('POST /api/i/password', renewsSession(changePassword))
