import { revokeListedSession } from '@/lib/auth/sessions/sign-out'
import { endsSessionIfOwn } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/sessions/revoke', endsSessionIfOwn(revokeListedSession))
