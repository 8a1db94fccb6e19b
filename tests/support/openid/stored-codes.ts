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

/** Gives the app of this code and this refresh token as many later ones of the account as it may keep. */
export function exhaustCodes({ databaseUrl }: Server, code: string, refreshToken: string): void {
  const columns = ['grantId', 'rootId', 'redirectUri', 'scopes', 'amr', 'authTime', 'expiresAt', 'usedAt']
  const copied = columns.map((name) => `"${name}"`).join(', ')
  for (const [of, times] of [
    [code, 999],
    [refreshToken, 99],
  ] as const)
    executeSql(
      databaseUrl,
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
       INSERT INTO "Code" ("id", "hash", "validUntil", "refreshUntil", ${copied})
       SELECT "id" || n, "hash" || n, "validUntil" + n, "refreshUntil" + n, ${copied} FROM "Code", numbers ${rowOf(of)}`,
    )
}

/** Lets the ten seconds pass in which a used refresh token gives the newest one. */
export const afterTenSeconds = (server: Server, token: string) =>
  alterCode(
    server,
    token,
    `"refreshedAt" = "refreshedAt" - 10001, "recentHashes" = REPLACE("recentHashes", '@1', '@0')`,
  )
