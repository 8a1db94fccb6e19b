import { createRecoveryCodes } from '@/lib/auth/account/recovery-codes'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/recovery-codes', createRecoveryCodes)
