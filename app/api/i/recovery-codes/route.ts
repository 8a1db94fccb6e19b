import { createRecoveryCodes } from '@/lib/auth/recovery/codes'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/i/recovery-codes', createRecoveryCodes)
