import { randomBytes } from 'node:crypto'
import { OAuthError } from '@/lib/api/oauth-errors'
import { logSecurityEvent } from '@/lib/auth/audit/security-log'
import type { RequestContext } from '@/lib/auth/model/request-context'
import type { Session } from '@/lib/auth/sessions/find-session'
import { recordReachedApp } from '@/lib/auth/sessions/reached-apps'
import { isValid } from '@/lib/auth/sessions/validity'
import { authTimeOf, rootOf } from '@/lib/auth/tokens/claims'
import { methodReferences } from '@/lib/auth/tokens/method-references'
import { flushed } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import type { App } from '../apps/app'
import { digestOf } from '../apps/digest'
import { joinSpaced } from '../apps/space-separated'
import { keptMilliseconds } from '../token-lifetime'

const codeMilliseconds = 60_000

interface CodeRequest {
  app: App
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: readonly string[]
}

/** Per app, session and authentication, or one person could fill the disk; another site's links can use up those of one app. */
const maxCodes = 1_000

/** Tokens contain the id; the rest is secret. */
const newCode = () => ({ id: randomBytes(16).toString('base64url'), rest: randomBytes(32).toString('base64url') })

/** @returns null if the session or the grant has ended meanwhile, or the session has had too many codes */
export async function issueCode(
  { user, claims }: Pick<Session, 'user' | 'claims'>,
  { app, redirectUri, challenge, nonce, scopes }: CodeRequest,
): Promise<string | null> {
  await recordReachedApp(claims, app.id)
  const { id, rest } = newCode()
  const now = Date.now()
  const root = rootOf(claims)
  const authTime = BigInt(authTimeOf(claims))
  const inserting = flushed.changes`
    INSERT INTO "Code" ("id", "hash", "grantId", "rootId", "redirectUri", "challenge", "nonce", "scopes", "amr",
      "authTime", "epoch", "passkeyId", "validUntil", "expiresAt")
    SELECT ${id}, ${digestOf(id + rest)}, g."id", ${root}, ${redirectUri}, ${challenge}, ${nonce},
      ${joinSpaced(scopes)}, ${joinSpaced(methodReferences(claims))}, ${authTime},
      ${claims.epoch}, ${claims.pk ?? null},
      ${BigInt(now + codeMilliseconds)}, ${BigInt(now + keptMilliseconds)}
    FROM "Grant" g JOIN "User" u ON u."id" = g."userId"
    WHERE g."userId" = ${user.id} AND g."appId" = ${app.id}
      AND ${isValid({ id: claims.jti, epoch: claims.epoch, passkeyId: claims.pk ?? null })}
      AND (SELECT COUNT(*) FROM (
        SELECT 1 FROM "Code" c WHERE c."grantId" = g."id" AND c."rootId" = ${root} AND c."authTime" = ${authTime}
        LIMIT ${maxCodes}) n) < ${maxCodes}`
  const inserted = await inserting.catch((error: unknown) => {
    // PostgreSQL read the grant before it was removed, and the foreign key finds it gone.
    if (isGone(error)) return 0
    throw error
  })
  return inserted === 1 ? id + rest : null
}

/**
 * One statement decides which of several requests wins. Any second use ends what was issued (RFC 6749 section 4.1.2).
 *
 * @returns the code's id
 * @throws OAuthError invalid_grant
 */
export async function consumeCode(code: string, context: RequestContext): Promise<string> {
  const [, id = ''] = /^([\w-]{22})[\w-]{43}$/.exec(code) ?? []
  const hash = digestOf(code)
  const won = await flushed.changes`
    UPDATE "Code" SET "usedAt" = ${BigInt(Date.now())} WHERE "id" = ${id} AND "hash" = ${hash} AND "usedAt" IS NULL`
  if (won === 1) return id
  // Once: whoever has an account and a code could repeat this without end.
  const ended = await flushed.changes`
    UPDATE "Code" SET "ended" = TRUE WHERE "id" = ${id} AND "hash" = ${hash} AND NOT "ended"`
  if (ended === 1) logSecurityEvent('code_reused', context)
  throw invalidCode()
}

export const invalidCode = () => new OAuthError('invalid_grant', 'The code is unknown, has expired or was used.')
