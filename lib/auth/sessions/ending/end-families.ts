import type { Method } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { methodReferences } from '../../tokens/method-references'

/*
 * Families of refresh tokens (lib/openid/grants/families.ts) end in the transaction that removes their session or
 * credential, and for good: a passkey may be registered again, and a password set. A new epoch ends them by itself.
 */

/** What `Code.amr` has of a session that this method alone opened. */
const only = (method: Method) => methodReferences({ amr: [method] }).join(' ')

export const endOfFamiliesOfSession = (db: Database, rootId: string) => db.$executeRaw`
  UPDATE "Code" SET "ended" = TRUE WHERE "rootId" = ${rootId}`

export const endOfFamiliesOfPasskey = (db: Database, userId: string, passkeyId: string) => db.$executeRaw`
  UPDATE "Code" SET "ended" = TRUE
  WHERE "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId}) AND "passkeyId" = ${passkeyId}
    AND "scopes" LIKE '%offline_access%'
    AND NOT EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = ${passkeyId})`

/** Of the password, unless the account still has one. Also those of the session that removes it and itself stays. */
export const endOfFamiliesOfPassword = (db: Database, userId: string) => db.$executeRaw`
  UPDATE "Code" SET "ended" = TRUE
  WHERE "grantId" IN (SELECT g."id" FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
      WHERE u."id" = ${userId} AND u."passwordHash" IS NULL)
    AND "amr" = ${only('pwd')} AND "scopes" LIKE '%offline_access%'`

export const endOfFamiliesOfRecoveryCodes = (db: Database, userId: string) => db.$executeRaw`
  UPDATE "Code" SET "ended" = TRUE
  WHERE "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId})
    AND "amr" = ${only('recovery')} AND "scopes" LIKE '%offline_access%'`
