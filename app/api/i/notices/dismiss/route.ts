import { dismissNotices } from '@/lib/auth/account/events/dismiss-notices'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/notices/dismiss', dismissNotices),
)
