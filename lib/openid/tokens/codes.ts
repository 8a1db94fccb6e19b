import { randomBytes } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import { groupsAggregate, parseGroups } from '@/lib/auth/account'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import type { RequestContext } from '@/lib/auth/request'
import { obstacleOfRules } from '@/lib/auth/sessions/app-rules'
import { asEnded, hasFamily, hasNoFamily } from '@/lib/auth/sessions/end'
import { hasSessionOf, isValid, type Session, stillStands } from '@/lib/auth/sessions/find'
import { recordReachedApp } from '@/lib/auth/sessions/reached-apps'
import { methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { digestOf, isUnconsumed } from '@/lib/auth/tokens/tokens'
import { isGone } from '@/lib/database/errors'
import { flushed, hasWord, readRows, type SqlRow, sql, unflushed } from '@/lib/database/sql'
import { type App, joinSpaced, splitSpaced } from '../apps/app'
import { keptMilliseconds, type Person, personOf } from './claims'

/** A code lives this long, and its row, if nobody redeems it, twice as long: with a margin for clocks. */
const codeMilliseconds = 60_000

interface CodeRequest {
  app: App
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: readonly string[]
  /** How long it may wait for its use */
  milliseconds?: number
}

/** The codes that an app keeps for an account, without families: with more, one person could fill the disk. */
const maxCodes = 1_000
/** A request removes at most this many. */
const maxRemoved = 100

/*
 * A code, a device's code and a refresh token have two parts: the id of a row, which tokens contain, and 43 characters that are
 * secret.
 */

export const idLength = 22
const codeLength = idLength + 43

export const newCode = () => ({
  id: randomBytes(16).toString('base64url'),
  rest: randomBytes(32).toString('base64url'),
})

/** Takes the id; null if the text is no code. */
export const idOfCode = (code: string): string | null =>
  code.length === codeLength && /^[\w-]+$/.test(code) ? code.slice(0, idLength) : null

/** Issues a code. @returns null if the session or the grant has ended meanwhile, or the grant has fewer scopes */
export async function issueCode(
  { user, claims }: Pick<Session, 'user' | 'claims'>,
  { app, redirectUri, challenge, nonce, scopes, milliseconds = codeMilliseconds }: CodeRequest,
): Promise<string | null> {
  await recordReachedApp(claims, app.id)
  const { id, rest } = newCode()
  const now = Date.now()
  const root = rootOf(claims)
  const authTime = BigInt(claims.auth_time)
  const grant = sql`g."userId" = ${user.id} AND g."appId" = ${app.id}`
  // Checks the scopes again: since the request, the person may have removed the grant and given it with fewer scopes.
  const isGranted = scopes.reduce((all, scope) => sql`${all} AND ${hasWord(sql`g."scopes"`, scope)}`, sql`TRUE`)
  // A power cut may cost a code, and the person signs in again; its consumption is flushed, and everything before with it.
  const inserting = unflushed.changes`
    INSERT INTO "Code" ("id", "hash", "grantId", "rootId", "redirectUri", "challenge", "nonce", "scopes", "amr",
      "authTime", "epoch", "passkeyId", "validUntil", "expiresAt")
    SELECT ${id}, ${digestOf(id + rest)}, g."id", ${root}, ${redirectUri}, ${challenge}, ${nonce},
      ${joinSpaced(scopes)}, ${joinSpaced(methodReferences(claims))}, ${authTime},
      ${claims.epoch}, ${claims.pk ?? null},
      ${BigInt(now + milliseconds)}, ${BigInt(now + 2 * milliseconds)}
    FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
    WHERE ${grant} AND ${isGranted}
      AND ${isValid({ id: claims.jti, epoch: claims.epoch, passkeyId: claims.pk ?? null })}`
  const inserted = await inserting.catch((error: unknown) => {
    // PostgreSQL read the grant just before somebody removed it, and the foreign key finds it gone.
    if (isGone(error)) return 0
    throw error
  })
  // Removes the oldest, so that links on another site, which can cause codes, keep nobody out of an app.
  await unflushed.changes`
    DELETE FROM "Code" WHERE "id" IN (
      SELECT c."id" FROM "Code" c
      WHERE c."grantId" = (SELECT g."id" FROM "Grant" g WHERE ${grant}) AND ${hasNoFamily}
      ORDER BY c."validUntil" DESC LIMIT ${maxRemoved} OFFSET ${maxCodes})`
  return inserted === 1 ? id + rest : null
}

/**
 * Consumes a code; one statement decides which of several requests wins. A second use by its app revokes the tokens of the
 * first (RFC 6749 section 4.1.2). For other apps the code does not exist (CVE-2026-28513): a stranger who finds it in a log
 * could end or use it up by any public app's id.
 *
 * @returns the code's id
 * @throws OAuthError invalid_grant
 */
export async function consumeCode(code: string, app: App, context: RequestContext): Promise<string> {
  const id = idOfCode(code)
  if (id === null) throw invalidCode()
  const isTheirs = sql`"id" = ${id} AND "hash" = ${digestOf(code)} AND NOT "ended"
    AND "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."appId" = ${app.id})`
  const won = await flushed.changes`UPDATE "Code" SET ${asUsed(Date.now())} WHERE ${isTheirs} AND "usedAt" IS NULL`
  if (won === 1) return id
  // Logs once per code: a person with an account and a code could repeat this without end.
  const ended = await flushed.changes`UPDATE "Code" SET ${asEnded} WHERE ${isTheirs} AND "usedAt" IS NOT NULL`
  if (ended === 1) logSecurityEvent('code_reused', context)
  throw invalidCode()
}

const asUsed = (now: number) => sql`"usedAt" = ${BigInt(now)}, "expiresAt" = ${BigInt(now + keptMilliseconds)}`

export const invalidCode = () => new OAuthError('invalid_grant', 'The code is unknown, has expired or was used.')

/** Consumes a code by its id, in one statement: for who has shown another secret in the code's place. */
export async function consumeCodeOf(id: string): Promise<boolean> {
  const won = await flushed.changes`
    UPDATE "Code" SET ${asUsed(Date.now())} WHERE "id" = ${id} AND "usedAt" IS NULL AND NOT "ended"`
  return won === 1
}

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

type CodeColumn = 'id' | 'rootId' | 'redirectUri' | 'challenge' | 'nonce' | 'scopes' | 'amr' | 'authTime' | 'validUntil'
type PersonColumn = 'username' | 'displayName' | 'createdAt' | 'renamedAt' | 'email'

interface IssuedCodeRow
  extends SqlRow<'Code', CodeColumn>,
    SqlRow<'Grant', 'appId'>,
    SqlRow<'User', PersonColumn>,
    SqlRow<'App', 'requirePasskey'> {
  userId: string
  groups: string | null
  appGroups: string
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
      AND ((${hasFamily} AND ${stillStands({ epoch: sql`c."epoch"`, passkeyId: sql`c."passkeyId"` })})
        OR (${hasNoFamily} AND ${hasSessionOf(sql`c."rootId"`)}))`
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
    UPDATE "Code" SET ${asEnded} WHERE "id" = ${id} AND NOT "ended" AND ${hasNoFamily}`
  return ended === 1
}
