import { groupsAggregate, parseGroups } from '@/lib/auth/accounts/account'
import { asEnded } from '@/lib/auth/sessions/end'
import { hasSessionOf, stillStands } from '@/lib/auth/sessions/find'
import type { Time } from '@/lib/auth/time'
import { isUnconsumed } from '@/lib/auth/tokens/consumed-tokens'
import { flushed, readRows, type SqlBoolean, type SqlInteger } from '@/lib/database/direct-sql'
import { sql } from '@/lib/database/fragments'
import { splitSpaced } from '../apps/app'
import { obstacleOfRules, type Person, personOf } from '../apps/grants'

/**
 * A code that an app gets, or got, tokens for. With offline_access it has refresh tokens, each of which replaces the one
 * before. These and the access tokens are the code's family; the code's row stands for it, and it ends as a whole.
 */
export interface IssuedCode {
  id: string
  appId: string
  person: Person
  rootId: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: string[]
  amr: string[]
  /** Seconds since 1970 */
  authTime: number
  /** Milliseconds since 1970 */
  validUntil: number
}

interface IssuedCodeRow {
  id: string
  appId: string
  userId: string
  username: string
  displayName: string | null
  createdAt: Time
  renamedAt: SqlInteger | null
  email: string | null
  groups: string | null
  rootId: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: string
  amr: string
  authTime: SqlInteger
  validUntil: SqlInteger
  appGroups: string
  requirePasskey: SqlBoolean
}

/**
 * Finds a code by one statement, so that no token outlives its grant, its account or its session. A family keeps the epoch and
 * the passkey of its session in place of the session: everything that would end the session ends it, except sign-out and
 * expiry.
 *
 * @param accessTokenId the id of a token that the app may have revoked
 * @param isWinner true for the request that has just consumed the code: it gets its answer even if another use has ended the
 *   code
 * @returns null if the code has ended, or if the app's rules now exclude the person
 */
export async function findIssuedCode(
  codeId: string,
  { accessTokenId = '', isWinner = false } = {},
): Promise<IssuedCode | null> {
  const [row] = await readRows<IssuedCodeRow>`
    SELECT c."id", g."appId", u."id" AS "userId", u."username", u."displayName", u."createdAt", u."renamedAt", u."email",
      ${groupsAggregate} AS "groups",
      c."rootId", c."redirectUri", c."challenge", c."nonce", c."scopes", c."amr", c."authTime", c."validUntil",
      a."groups" AS "appGroups", a."requirePasskey"
    FROM "Code" c JOIN "Grant" g ON g."id" = c."grantId" JOIN "App" a ON a."id" = g."appId"
      JOIN "User" u ON u."id" = g."userId"
    WHERE c."id" = ${codeId} AND ${isWinner ? sql`TRUE` : sql`NOT c."ended"`} AND ${isUnconsumed(accessTokenId)}
      AND ((c."refreshHash" IS NOT NULL AND ${stillStands({ epoch: sql`c."epoch"`, passkeyId: sql`c."passkeyId"` })})
        OR (c."refreshHash" IS NULL AND ${hasSessionOf(sql`c."rootId"`)}))`
  if (!row) return null
  const person = personOf({ ...row, id: row.userId, groups: parseGroups(row.groups) })
  const amr = splitSpaced(row.amr)
  // An operator may have changed the app's rules, or the person's groups, since the sign-in.
  const rules = { groups: splitSpaced(row.appGroups), requirePasskey: Boolean(row.requirePasskey) }
  if (obstacleOfRules(rules, person, amr)) return null
  return {
    id: row.id,
    appId: row.appId,
    person,
    rootId: row.rootId,
    redirectUri: row.redirectUri,
    challenge: row.challenge,
    nonce: row.nonce,
    scopes: splitSpaced(row.scopes),
    amr,
    authTime: Number(row.authTime),
    validUntil: Number(row.validUntil),
  }
}

/** Revokes all tokens of the code. @returns false if they had ended before */
export async function endIssuedCode(id: string): Promise<boolean> {
  return (await flushed.changes`UPDATE "Code" SET ${asEnded} WHERE "id" = ${id} AND NOT "ended"`) === 1
}

/** Revokes the tokens of a code without refresh tokens. */
export async function endWithoutFamily(id: string): Promise<boolean> {
  const ended = await flushed.changes`
    UPDATE "Code" SET ${asEnded} WHERE "id" = ${id} AND NOT "ended" AND "refreshHash" IS NULL`
  return ended === 1
}
