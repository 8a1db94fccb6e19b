import { randomBytes } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import { logSecurityEvent } from '@/lib/auth/audit/security-log'
import type { RequestContext } from '@/lib/auth/request'
import { asEnded } from '@/lib/auth/sessions/end'
import { isValid, type Session } from '@/lib/auth/sessions/find'
import { recordReachedApp } from '@/lib/auth/sessions/logouts'
import { methodReferences, rootOf } from '@/lib/auth/tokens/claims'
import { flushed, unflushed } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import { sql } from '@/lib/database/fragments'
import { type App, digestOf, joinSpaced } from '../apps/app'
import { keptMilliseconds } from './signing-keys'

/** A code lives so long, and its row, if nobody redeems it, twice as long: with a margin for clocks. */
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
/** A request removes so many at most. */
const maxRemoved = 100

/** Makes a code of two parts: an id, which tokens contain, and a secret rest. */
const newCode = () => ({ id: randomBytes(16).toString('base64url'), rest: randomBytes(32).toString('base64url') })

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
  const isGranted = scopes.reduce(
    (all, scope) => sql`${all} AND REPLACE(' ' || g."scopes" || ' ', ${` ${scope} `}, '') <> ' ' || g."scopes" || ' '`,
    sql`TRUE`,
  )
  const inserting = flushed.changes`
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
      WHERE c."grantId" = (SELECT g."id" FROM "Grant" g WHERE ${grant}) AND c."refreshUntil" IS NULL
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
  const [, id = ''] = /^([\w-]{22})[\w-]{43}$/.exec(code) ?? []
  const hash = digestOf(code)
  const now = Date.now()
  const isTheirs = sql`"id" = ${id} AND "hash" = ${hash} AND NOT "ended"
    AND "grantId" IN (SELECT g."id" FROM "Grant" g WHERE g."appId" = ${app.id})`
  const won = await flushed.changes`
    UPDATE "Code" SET "usedAt" = ${BigInt(now)}, "expiresAt" = ${BigInt(now + keptMilliseconds)}
    WHERE ${isTheirs} AND "usedAt" IS NULL`
  if (won === 1) return id
  // Logs once per code: a person with an account and a code could repeat this without end.
  const ended = await flushed.changes`UPDATE "Code" SET ${asEnded} WHERE ${isTheirs} AND "usedAt" IS NOT NULL`
  if (ended === 1) logSecurityEvent('code_reused', context)
  throw invalidCode()
}

export const invalidCode = () => new OAuthError('invalid_grant', 'The code is unknown, has expired or was used.')

/** Consumes a code by its id, in one statement: for who has shown another secret in the code's place. */
export async function consumeCodeOf(id: string): Promise<boolean> {
  const now = Date.now()
  const won = await flushed.changes`
    UPDATE "Code" SET "usedAt" = ${BigInt(now)}, "expiresAt" = ${BigInt(now + keptMilliseconds)}
    WHERE "id" = ${id} AND "usedAt" IS NULL AND NOT "ended"`
  return won === 1
}
