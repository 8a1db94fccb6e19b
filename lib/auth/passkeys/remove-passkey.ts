import { ApiError } from '@/lib/api/errors'
import type { removePasskeyInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { settings } from '@/lib/settings/settings'
import { recordEvent } from '../audit/events'
import type { Parsed } from '../model/request-context'
import type { OpenedSession } from '../sessions/issue-session-tokens'
import { renewSession } from '../sessions/open-session'
import { endOfPasskey } from '../sessions/revocation/ended-with-credential'
import type { StepUp } from '../sessions/step-up'
import { asStepUp } from '../sessions/write-as-session'
import { writeWithLogouts } from '../sessions/write-with-logouts'
import { rootOf } from '../tokens/claims'

/** Also ends the sessions that the passkey opened. @returns a replacement if the request's was one of them */
export async function removePasskey({
  body: { id },
  stepUp,
  context,
}: Parsed<typeof removePasskeyInput> & { stepUp: StepUp }): Promise<OpenedSession | null> {
  const { user, claims } = stepUp.session
  const { pk, ...rest } = claims
  const isOwn = pk === id
  const ended = { userId: user.id, keptRoot: isOwn ? rootOf(claims) : undefined }
  const { removed, kept } = await writeWithLogouts(asStepUp(stepUp), ended, (db) => ({
    removed: removalUnlessLast(db, id, user.id),
    ...endOfPasskey(db, user.id, id),
    // In the same transaction: afterwards another request may have deleted the account.
    kept: db.passkey.count({ where: { id, userId: user.id } }),
  }))
  if (removed === 0) throw kept > 0 ? new ApiError('last_way_in') : new ApiError('not_found', { notOwned: true })
  await recordEvent(user.id, 'passkey_removed', context, { session: claims })
  return isOwn ? renewSession(user, rest, context) : null
}

/** The account's lock keeps concurrent requests from removing its last two passkeys. */
const removalUnlessLast = (db: Database, id: string, userId: string) => db.$executeRaw`
  DELETE FROM "Passkey" WHERE "id" = ${id} AND "userId" = ${userId} AND (
    (${settings().passwords ? 1 : 0} = 1
      AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${userId} AND u."passwordHash" IS NOT NULL))
    OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."userId" = ${userId} AND p."id" <> ${id}))`
