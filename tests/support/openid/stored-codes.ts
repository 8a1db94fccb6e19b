import type { Server } from '../server/server'
import { executeSql, readSql } from '../storage/sql'

/** The row of a code, which is that of the refresh tokens that follow from it, too. */
const rowOf = (code: string) => `WHERE "id" = '${code.slice(0, 22)}'`

/** Changes what the database knows of a code, or of a family of refresh tokens. */
export const alterCode = ({ databaseUrl }: Server, code: string, change: string): void =>
  executeSql(databaseUrl, `UPDATE "Code" SET ${change} ${rowOf(code)}`)

/** One column of that row, as text. */
export const readCode = ({ databaseUrl }: Server, code: string, column: string): string | undefined =>
  readSql(databaseUrl, `SELECT "${column}" FROM "Code" ${rowOf(code)}`)[0]

/** Lets the sessions of an account run out. */
export const expireSessions = ({ databaseUrl }: Server, userId: string): void =>
  executeSql(databaseUrl, `UPDATE "Session" SET "expiresAt" = ${Date.now() - 1} WHERE "userId" = '${userId}'`)

/** Gives the session of a code as many codes as it may have. */
export function exhaustCodes({ databaseUrl }: Server, code: string): void {
  executeSql(
    databaseUrl,
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 999)
     INSERT INTO "Code" ("id", "hash", "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil", "expiresAt")
     SELECT "id" || n, "hash" || n, "grantId", "rootId", "redirectUri", "scopes", "amr", "authTime", "validUntil", "expiresAt"
     FROM "Code", numbers ${rowOf(code)}`,
  )
}

/** Lets the ten seconds pass in which a used refresh token gives the same next one. */
export const afterTenSeconds = (server: Server, token: string) =>
  alterCode(server, token, `"refreshedAt" = "refreshedAt" - 10001`)
