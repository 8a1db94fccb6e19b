import { askForRecovery } from '@/lib/auth/recovery/by-mail'
import { keepsRecovery } from '@/lib/http/response/sessions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/recover', keepsRecovery(askForRecovery))
