import { ApiError } from '@/lib/api/errors'
import { type Database, database } from '@/lib/database/client'
import { recordEvent } from '../audit/events'
import type { RequestContext } from '../model/request-context'
import { endedOfAccount } from '../sessions/logouts'
import { endOfPassword } from '../sessions/revocation/ended-with-credential'
import type { StepUp } from '../sessions/step-up'
import { asStepUp } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'

/** Also revokes the other sessions that the password opened. Does nothing if there is none. */
export async function removePassword({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  const { user, claims } = stepUp.session
  // No limit counts removals, so one that removes nothing must not write.
  if (user.hasPassword && (await remove(stepUp)))
    return recordEvent(user.id, 'password_removed', context, { session: claims })
  const passkeys = await (await database()).passkey.count({ where: { userId: user.id } })
  if (passkeys === 0) throw new ApiError('last_way_in')
}

async function remove(stepUp: StepUp): Promise<boolean> {
  const { user, claims } = stepUp.session
  const { removed } = await writeWithLogouts(asStepUp(stepUp), endedOfAccount(user.id), (db) => ({
    removed: removalUnlessLast(db, user.id),
    // In the transaction: whoever learned the password must not stay signed in once it is gone.
    ...endOfPassword(db, user.id, claims.jti),
  }))
  return removed === 1
}

/** Recovery codes do not count, because they run out. The account's lock keeps the last passkey from going meanwhile. */
const removalUnlessLast = (db: Database, id: string) => db.$executeRaw`
  UPDATE "User" SET "passwordHash" = NULL, "passwordSetAt" = NULL
  WHERE "id" = ${id} AND "passwordHash" IS NOT NULL
    AND EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${id})`
