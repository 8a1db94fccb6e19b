import { OAuthError } from '@/lib/api/oauth-errors'
import { recordEvent } from '@/lib/auth/audit/events'
import { lockUser } from '@/lib/auth/model/locks'
import type { RequestContext } from '@/lib/auth/model/request-context'
import { inTurn, unguarded } from '@/lib/auth/sessions/write-as-session'
import { flushed, readRows, type SqlBoolean, type SqlInteger } from '@/lib/database/direct-sql'
import { type Fragment, sql, statement } from '@/lib/database/fragments'
import { type App, findApp } from '../apps/app'
import { digestOf } from '../apps/digest'
import { keptMilliseconds } from '../token-lifetime'
import { endIssuedCode, hasSessionOf, type IssuedCode } from './issued-code'
import { familyOf, firstToken, nextTokens } from './refresh-tokens'

/** How long an unused token is valid, and a family in constant use (RFC 9700 section 4.14.2). */
const idleMilliseconds = 30 * 86_400_000
const maxFamilyMilliseconds = 180 * 86_400_000
/** For an app that lost the response, or whose processes refresh concurrently. */
const repeatMilliseconds = 10_000

/**
 * The first refresh token of a consumed code; null if what was issued for the code has ended. No later ID token has the
 * nonce (OpenID Connect Core section 12.2).
 */
export async function startFamily({ id, rootId, person }: IssuedCode): Promise<string | null> {
  const token = firstToken(id)
  const until = Date.now() + idleMilliseconds
  // With the lock, what ends the session and its families runs either before, and the session is over, or after, and ends this
  // code, too.
  const start = () =>
    unguarded((db) => ({
      lock: lockUser(db, person.id),
      started: statement(
        db,
        sql`UPDATE "Code" SET "refreshHash" = ${digestOf(token)}, "refreshUntil" = ${BigInt(until)},
            "expiresAt" = ${BigInt(until + keptMilliseconds)}, "nonce" = NULL
          WHERE "id" = ${id} AND NOT "ended" AND "refreshHash" IS NULL
            AND EXISTS (SELECT 1 FROM "User" u WHERE u."id" = ${person.id} AND ${hasSessionOf(sql`${rootId}`)})`,
      ),
    }))
  const { started } = await inTurn(person.id, start)
  return started === 1 ? token : null
}

/**
 * Consumes a refresh token. One statement decides which of several requests wins; the others, and the app within ten
 * seconds, get the same next token. Any other reuse ends the family.
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
    UPDATE "Code" SET "previousHash" = "refreshHash", "refreshHash" = ${digestOf(next)}, "refreshedAt" = ${BigInt(now)},
      "refreshUntil" = ${BigInt(until)}, "expiresAt" = ${BigInt(until + keptMilliseconds)}
    WHERE ${unusedBy(app, token, now)}`
  if (rotated === 1) return { id, next }
  const family = await findFamily(id)
  const again = family?.appId === app.id && isRepeat(family, token, now) && nexts.find((one) => isCurrent(family, one))
  if (again) return { id, next: again }
  if (family && !isCurrent(family, token)) await endAfterReuse(id, family, context)
  throw invalidRefreshToken()
}

const isCurrent = ({ refreshHash }: FamilyRow, token: string) => refreshHash === digestOf(token)

/** Whether the token was consumed a moment ago, and the family has not ended. */
const isRepeat = ({ previousHash, refreshedAt, ended }: FamilyRow, token: string, now: number) =>
  previousHash === digestOf(token) && Number(refreshedAt) > now - repeatMilliseconds && !ended

/** A hint only: another request may use the token before `rotateToken` does. */
export async function isUnused(token: string, app: App): Promise<boolean> {
  return (await readRows`SELECT 1 AS "found" FROM "Code" WHERE ${unusedBy(app, token, Date.now())}`).length > 0
}

const unusedBy = (app: App, token: string, now: number): Fragment => sql`
  "id" = ${familyOf(token)} AND "refreshHash" = ${digestOf(token)} AND NOT "ended" AND "refreshUntil" > ${BigInt(now)}
    AND "usedAt" > ${BigInt(now - maxFamilyMilliseconds)}
    AND EXISTS (SELECT 1 FROM "Grant" g WHERE g."id" = "Code"."grantId" AND g."appId" = ${app.id})`

interface FamilyRow {
  userId: string
  appId: string
  refreshHash: string | null
  previousHash: string | null
  refreshedAt: SqlInteger | null
  ended: SqlBoolean
}

async function findFamily(id: string): Promise<FamilyRow | undefined> {
  const [row] = await readRows<FamilyRow>`
    SELECT g."userId", g."appId", c."refreshHash", c."previousHash", c."refreshedAt", c."ended"
    FROM "Code" c JOIN "Grant" g ON g."id" = c."grantId" WHERE c."id" = ${id}`
  return row
}

/** The token was stolen, and either the app or the thief has used it (RFC 9700 section 4.14.2). */
async function endAfterReuse(id: string, { userId, appId }: FamilyRow, context: RequestContext): Promise<void> {
  const app = (await endIssuedCode(id)) && (await findApp(appId))
  const { address, requestId } = context
  // The user agent is the app's, not the person's.
  if (app) await recordEvent(userId, 'refresh_token_reused', { address, requestId, userAgent: null }, { app })
}

/** @returns false if the token, used or not, is none of the app's refresh tokens */
export async function endFamily(token: string, app: App): Promise<boolean> {
  const id = familyOf(token)
  const family = id === null ? undefined : await findFamily(id)
  if (id === null || family?.appId !== app.id) return false
  await endIssuedCode(id)
  return true
}

export const invalidRefreshToken = () =>
  new OAuthError('invalid_grant', 'The refresh token is unknown, has expired, was used or has ended.')
