import { changeUsername } from '@/lib/auth/change-username'
import { route } from '@/lib/http/route'

export const POST = route('/api/i/username', ({ body, context }) => changeUsername(body, context))
