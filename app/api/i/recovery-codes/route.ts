import { createRecoveryCodes } from '@/lib/auth/recovery/codes'
import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  route('POST /api/i/recovery-codes', createRecoveryCodes),
)
