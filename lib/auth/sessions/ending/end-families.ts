import type { Database } from '@/lib/database/client'

/*
 * Families of refresh tokens (lib/openid/grants/families.ts) end in the transaction that removes their session or
 * credential, and for good: a passkey may be registered again, and a password set. A new epoch ends them by itself.
 */

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
    AND "amr" = 'pwd' AND "scopes" LIKE '%offline_access%'`

export const endOfFamiliesOfRecoveryCodes = (db: Database, userId: string) => db.$executeRaw`
  UPDATE "Code" SET "ended" = TRUE
  WHERE "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."userId" = ${userId})
    AND "amr" = 'otp' AND "scopes" LIKE '%offline_access%'`
