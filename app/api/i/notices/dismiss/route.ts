import { dismissNotices } from '@/lib/auth/account/events/dismiss-notices'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/notices/dismiss', dismissNotices)
