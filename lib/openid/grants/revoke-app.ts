import { ApiError } from '@/lib/api/errors'
import type { revokeAppInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/model/request-context'
import type { Session } from '@/lib/auth/sessions/find-session'
import { removeGrant } from './grants'

export async function revokeApp({ body, session, context }: Parsed<typeof revokeAppInput> & { session: Session }) {
  if (!(await removeGrant(session, body.id, context))) throw new ApiError('not_found')
}
