import { stopOwnRecovery } from '@/lib/auth/recovery/by-mail'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/recovery/stop', stopOwnRecovery)
