import type { tokenInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/model/request-context'
import type { AppWithSecrets } from '../apps/app'
import type { IssuedCode } from '../issued/issued-code'

export type TokenRequest = Parsed<typeof tokenInput> & { app: AppWithSecrets }

export interface Exchanged {
  issued: IssuedCode
  refreshToken: string | null
}
