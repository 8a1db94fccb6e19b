import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import { lockUser } from '@/lib/auth/account'
import { recordEvent } from '@/lib/auth/events/record'
import type { RequestContext } from '@/lib/auth/request'
import { hasFamily, hasNoFamily } from '@/lib/auth/sessions/end'
import { hasSessionOf } from '@/lib/auth/sessions/find'
import { queuedByAccount, unguarded } from '@/lib/auth/sessions/write'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { type Fragment, flushed, readRows, type SqlRow, sql, statement, unflushed } from '@/lib/database/sql'
import { derivedKeys } from '@/lib/settings/keys'
import { type App, joinSpaced } from '../apps/app'
import { findApp } from '../apps/find'
import { keptMilliseconds } from './claims'
import { endIssuedCode, type IssuedCode, idLength, idOfCode } from './codes'

/** The lifetime of an unused token, and that of a family in constant use (RFC 9700 section 4.14.2). */
const idleMilliseconds = 30 * 86_400_000
const maxFamilyMilliseconds = 180 * 86_400_000
/** How long a used token still works: for an app that lost the response, or whose processes refresh concurrently. */
const repeatMilliseconds = 10_000
/** Room for some nine used tokens of an app that refreshes without pause. */
const maxRecentLength = 500
const maxRecent = 10

/** The families that an app keeps for an account; beyond, the one ends that has waited longest for a refresh. */
const maxFamilies = 100
/** A request removes at most this many. */
const maxRemoved = 100

/**
 * Makes the first refresh token of a consumed code; null if its session has ended. It is worth nothing if the code has ended
 * meanwhile. Drops the nonce, which no later ID token has (OpenID Connect Core section 12.2).
 */
export async function startFamily({ id, rootId, person, scopes }: IssuedCode): Promise<string | null> {
  const token = firstToken(id)
  const until = Date.now() + idleMilliseconds
  // Locks the account: a transaction that ends the session and its families runs either before, and the session is over, or
  // after, and ends this code, too.
  const start = () =>
    unguarded((db) => ({
      lock: lockUser(db, person.id),
      started: statement(db)`UPDATE "Code" SET "refreshHash" = ${digestOf(token)}, "refreshUntil" = ${BigInt(until)},
          "expiresAt" = ${BigInt(until + keptMilliseconds)}, "nonce" = NULL, "scopes" = ${joinSpaced(scopes)}
        WHERE "id" = ${id} AND ${hasNoFamily}
          AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${person.id} AND ${hasSessionOf(sql`${rootId}`)})`,
    }))
  const { started } = await queuedByAccount(person.id, start)
  // Removes ended ones first, whose time is 0.
  await unflushed.changes`
    DELETE FROM "Code" WHERE "id" IN (
      SELECT c."id" FROM "Code" c
      WHERE c."grantId" = (SELECT o."grantId" FROM "Code" o WHERE o."id" = ${id}) AND ${hasFamily}
      ORDER BY c."refreshUntil" DESC LIMIT ${maxRemoved} OFFSET ${maxFamilies})`
  return started === 1 ? token : null
}

/**
 * Consumes a refresh token and makes the next. One statement decides which of several requests wins; the others, and the app
 * within ten seconds, get the newest token of the family. Any other reuse ends the family.
 *
 * @throws OAuthError invalid_grant
 */
export async function rotateToken(
  token: string,
  app: App,
  context: RequestContext,
): Promise<{ id: string; next: string }> {
  const id = familyOf(token)
  const nexts = id === null ? [] : nextTokens(token)
  const [next] = nexts
  if (id === null || next === undefined) throw invalidRefreshToken()
  const now = Date.now()
  const until = now + idleMilliseconds
  const rotated = await flushed.changes`
    UPDATE "Code" SET "recentHashes" = CASE
        WHEN "refreshedAt" > ${BigInt(now - repeatMilliseconds)} AND LENGTH("recentHashes") < ${maxRecentLength}
        THEN "recentHashes" || ' ' ELSE '' END || CAST(${`${digestOf(token)}@${now}`} AS TEXT),
      "refreshHash" = ${digestOf(next)}, "refreshedAt" = ${BigInt(now)},
      "refreshUntil" = ${BigInt(until)}, "expiresAt" = ${BigInt(until + keptMilliseconds)}
    WHERE ${unusedBy(app, token, now)}`
  if (rotated === 1) return { id, next }
  const family = await findFamily(id)
  const newest = family?.appId === app.id && isRepeat(family, token, now) && newestAfter(nexts, family)
  if (newest) return { id, next: newest }
  // Only for its own app: a stranger who finds a used token in a log could end the family by any public app's id.
  if (family?.appId === app.id && !isCurrent(family, token)) await endAfterReuse(id, family, context)
  throw invalidRefreshToken()
}

const isCurrent = ({ refreshHash }: FamilyRow, token: string) => refreshHash === digestOf(token)

/** True if the app used the token a moment ago, and the family has not ended. */
function isRepeat({ recentHashes, ended }: FamilyRow, token: string, now: number): boolean {
  const hash = digestOf(token)
  const recent = (recentHashes ?? '').split(' ').map((used) => used.split('@'))
  return !ended && recent.some(([used, time]) => used === hash && Number(time) > now - repeatMilliseconds)
}

/** The family's newest token, where it follows from one of these: another process may have refreshed twice meanwhile. */
function newestAfter(nexts: string[], family: FamilyRow): string | undefined {
  for (const first of nexts)
    for (let token: string | undefined = first, steps = 0; token && steps < maxRecent; steps++) {
      if (isCurrent(family, token)) return token
      token = nextTokens(token)[0]
    }
  return undefined
}

type FamilyRow = SqlRow<'Grant', 'userId' | 'appId'> & SqlRow<'Code', 'refreshHash' | 'recentHashes' | 'ended'>

async function findFamily(id: string): Promise<FamilyRow | undefined> {
  const [row] = await readRows<FamilyRow>`
    SELECT g."userId", g."appId", c."refreshHash", c."recentHashes", c."ended"
    FROM "Code" c JOIN "Grant" g ON g."id" = c."grantId" WHERE c."id" = ${id}`
  return row
}

/** Ends the family: somebody has stolen the token, and either the app or the thief has used it (RFC 9700 section 4.14.2). */
async function endAfterReuse(id: string, { userId, appId }: FamilyRow, context: RequestContext): Promise<void> {
  const app = (await endIssuedCode(id)) && (await findApp(appId))
  const { address, requestId } = context
  // The user agent is the app's, not the person's.
  if (app) await recordEvent(userId, 'refresh_token_reused', { address, requestId, userAgent: null }, { app })
}

/** A hint only: another request may use the token before `rotateToken` does. */
export async function isUnused(token: string, app: App): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "Code" WHERE ${unusedBy(app, token, Date.now())}`).length > 0
}

const unusedBy = (app: App, token: string, now: number): Fragment => sql`
  "id" = ${familyOf(token)} AND "refreshHash" = ${digestOf(token)} AND NOT "ended" AND "refreshUntil" > ${BigInt(now)}
    AND "usedAt" > ${BigInt(now - maxFamilyMilliseconds)}
    AND EXISTS (SELECT 1 FROM "Grant" g WHERE g."id" = "Code"."grantId" AND g."appId" = ${app.id})`

/** Ends the family of a refresh token, used or not. @returns false if it is none of the app's */
export async function endFamily(token: string, app: App): Promise<boolean> {
  const id = familyOf(token)
  const family = id === null ? undefined : await findFamily(id)
  if (id === null || family?.appId !== app.id) return false
  await endIssuedCode(id)
  return true
}

export const invalidRefreshToken = () =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, has expired, was used or has ended.')

/**
 * Reads the family's id if the MAC is right; null otherwise. Without the MAC, anyone who knows the id, which access tokens
 * contain, could end the family with an invented token.
 */
export function familyOf(token: string): string | null {
  const familyId = idOfCode(token)
  if (familyId === null) return null
  const bytes = Buffer.from(token.slice(idLength), 'base64url')
  const random = bytes.subarray(0, 16)
  const tag = bytes.subarray(16)
  const isOurs = keys().some((key) => timingSafeEqual(mac(key, 'tag', familyId + toText(random)), tag))
  return isOurs ? familyId : null
}

/**
 * Derives the next token from the used one, so that an app that lost the response gets the same again, though we store none.
 * One for each secret, JWT_SECRET's first.
 */
function nextTokens(token: string): string[] {
  const familyId = token.slice(0, idLength)
  return keys().map((key) => tokenOf(familyId, mac(key, 'next', token), key))
}

const firstToken = (familyId: string) => tokenOf(familyId, randomBytes(16), keys()[0])

/** Makes a token of the family's id, and 43 characters with 128 random bits and a MAC of both. */
const tokenOf = (familyId: string, random: Uint8Array, key: Uint8Array) =>
  familyId + Buffer.concat([random, mac(key, 'tag', familyId + toText(random))]).toString('base64url')

const mac = (key: Uint8Array, purpose: string, text: string) =>
  createHmac('sha256', key).update(`${purpose} ${text}`).digest().subarray(0, 16)

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const keys = () => derivedKeys('latchkey/refresh-token')
