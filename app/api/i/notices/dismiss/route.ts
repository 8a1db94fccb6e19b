import { dismissNotices } from '@/lib/auth/accounts/activity'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/notices/dismiss', dismissNotices)
