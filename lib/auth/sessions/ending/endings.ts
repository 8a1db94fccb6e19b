import type { Method } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { consumptionOfAll } from '@/lib/database/consumed-tokens'
import { sql } from '@/lib/database/fragments'
import { methodReferences } from '../../tokens/method-references'

/*
 * What ends in the transaction that removes a credential or a session: the sessions that it opened, and their families of
 * refresh tokens (lib/openid/grants/families.ts). For good: a passkey may be registered again, and a password set. A new epoch
 * ends both by itself.
 */

/** What `Code.amr` has of a session that this method alone opened. */
const only = (method: Method) => methodReferences({ amr: [method] }).join(' ')

/** Of the password, unless the account still has one. The session `sid`, which removes it, stays, but not its families. */
export const endOfPassword = (db: Database, userId: string, sid: string) => ({
  sessions: consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."userId" = ${userId} AND s."method" = 'pwd' AND s."id" <> ${sid} AND u."passwordHash" IS NULL`,
  ),
  families: db.$executeRaw`
    UPDATE "Code" SET "ended" = TRUE
    WHERE "grantId" IN (SELECT g."id" FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
        WHERE u."id" = ${userId} AND u."passwordHash" IS NULL)
      AND "amr" = ${only('pwd')} AND "scopes" LIKE '%offline_access%'`,
})

/** Of all recovery codes. The session `sid`, which replaces them, stays, but not its families. */
export const endOfRecoveryCodes = (db: Database, userId: string, sid: string) => ({
  sessions: consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."method" = 'recovery' AND s."id" <> ${sid}`,
  ),
  families: db.$executeRaw`
    UPDATE "Code" SET "ended" = TRUE
    WHERE "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId})
      AND "amr" = ${only('recovery')} AND "scopes" LIKE '%offline_access%'`,
})

/** Of a passkey, unless it is still there. */
export const endOfPasskey = (db: Database, userId: string, passkeyId: string) => ({
  sessions: consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."passkeyId" = ${passkeyId}
        AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`,
  ),
  families: db.$executeRaw`
    UPDATE "Code" SET "ended" = TRUE
    WHERE "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId}) AND "passkeyId" = ${passkeyId}
      AND "scopes" LIKE '%offline_access%'
      AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`,
})

/** Of the sessions that replaced `rootId`, except `sid`, with all families of that root. */
export const endOfRoot = (db: Database, userId: string, rootId: string, sid: string) => ({
  sessions: consumptionOfAll(
    db,
    sql`
      SELECT s."id", s."expiresAt" FROM "Session" s
      WHERE s."userId" = ${userId} AND s."rootId" = ${rootId} AND s."id" <> ${sid}`,
  ),
  families: db.$executeRaw`
    UPDATE "Code" SET "ended" = TRUE WHERE "rootId" = ${rootId}`,
})
