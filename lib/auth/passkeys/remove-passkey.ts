import { ApiError } from '@/lib/api/errors'
import type { removePasskeyInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { settings } from '@/lib/settings/settings'
import { recordEvent } from '../audit/events'
import type { Parsed } from '../model/request-context'
import { renewal } from '../sessions/insert-session-record'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { endedOfAccount } from '../sessions/logouts'
import { issueRenewed } from '../sessions/open-session'
import { endOfPasskey, isRemoved } from '../sessions/revocation/ended-with-credential'
import { renewedRecord } from '../sessions/session-records'
import type { StepUp } from '../sessions/step-up'
import { asStepUp } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'

/** Also ends the sessions that the passkey opened. @returns a replacement if the request's was one of them */
export async function removePasskey({
  body: { id },
  stepUp,
  context,
}: Parsed<typeof removePasskeyInput> & { stepUp: StepUp }): Promise<OpenedSession | null> {
  const { user, claims } = stepUp.session
  const { pk, ...rest } = claims
  const renewed = pk === id ? renewedRecord(rest, context) : null
  const { removed, kept } = await writeWithLogouts(asStepUp(stepUp), endedOfAccount(user.id), (db) => ({
    removed: removalUnlessLast(db, id, user.id),
    ...endOfPasskey(db, user.id, id),
    renewed: renewed ? renewal(db, renewed, isRemoved(id)) : undefined,
    // In the same transaction: afterwards another request may have deleted the account.
    kept: db.passkey.count({ where: { id, userId: user.id } }),
  }))
  if (removed === 0) throw kept > 0 ? new ApiError('last_way_in') : new ApiError('not_found', { notOwned: true })
  await recordEvent(user.id, 'passkey_removed', context, { session: claims })
  return renewed && issueRenewed(user, renewed, context)
}

/** The account's lock keeps concurrent requests from removing its last two passkeys. */
const removalUnlessLast = (db: Database, id: string, userId: string) => db.$executeRaw`
  DELETE FROM "Passkey" WHERE "id" = ${id} AND "userId" = ${userId} AND (
    (${settings().passwords ? 1 : 0} = 1
      AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NOT NULL))
    OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId} AND p."id" <> ${id}))`
