import { ApiError } from '@/lib/api/errors'
import type { renamePasskeyInput } from '@/lib/api/schemas'
import type { Parsed } from '../model/request-context'
import type { Session } from '../sessions/find-session'
import { asSession } from '../sessions/write-as-session'
import { limitWrites } from '../throttling/attempts'

export async function renamePasskey({
  body: { id, name },
  session,
}: Parsed<typeof renamePasskeyInput> & { session: Session }): Promise<void> {
  const { user, claims } = session
  await limitWrites('session-writes', session, async () => {
    const { renamed } = await asSession(claims)((db) => ({
      renamed: db.passkey.updateMany({ where: { id, userId: user.id }, data: { name } }),
    }))
    if (renamed.count === 0) throw new ApiError('not_found', { notOwned: true })
  })
}
