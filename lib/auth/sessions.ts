import { ApiError } from '@/lib/api/errors'
import type { Method, Passkey, User } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { consumeToken } from '@/lib/database/consumed-tokens'
import { settings } from '@/lib/settings/settings'
import { publicUser, type UserRow, type UserWithEpoch } from './accounts'
import { issueDevice } from './devices'
import { describePasskey, type PasskeyRow } from './passkey'
import type { RequestContext } from './request-context'
import { type Claims, issueToken, readToken } from './tokens'

export interface Session {
  user: UserRow & { hasPassword: boolean }
  passkeys: Passkey[]
  recoveryCodesLeft: number
  claims: Claims<'session'>
}

/** A new session and the device token that accompanies it; `seconds` is a token's lifetime. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
}

/** One row per passkey, or one without any; SQLite returns booleans as numbers. */
interface SessionRow extends UserRow, Omit<PasskeyRow, 'id' | 'createdAt'> {
  hasPassword: boolean | number | bigint
  recoveryCodesLeft: number | bigint
  passkeyId: string | null
  passkeyCreatedAt: Date
}

/** Finds a valid session. Every authenticated request runs this, so it is one statement, shared by both databases. */
export async function findSession(token: string | null): Promise<Session | null> {
  const claims = token === null ? null : await readToken('session', token)
  if (!claims) return null
  const db = await database()
  const rows = await db.$queryRaw<SessionRow[]>`
    SELECT u."id", u."username", u."createdAt", u."passwordHash" IS NOT NULL AS "hasPassword",
           (SELECT COUNT(*) FROM "RecoveryCode" c WHERE c."userId" = u."id") AS "recoveryCodesLeft",
           p."id" AS "passkeyId", p."name", p."aaguid", p."createdAt" AS "passkeyCreatedAt", p."lastUsedAt",
           p."backedUp", p."deviceType", p."transports"
    FROM "User" u LEFT JOIN "Passkey" p ON p."userId" = u."id"
    WHERE u."id" = ${claims.sub} AND u."sessionEpoch" = ${claims.epoch}
      AND NOT EXISTS (SELECT 1 FROM "SpentToken" s WHERE s."id" = ${claims.jti})
    ORDER BY p."createdAt"`
  const [row] = rows
  if (!row) return null
  const recoveryCodesLeft = Number(row.recoveryCodesLeft)
  const { id, username, createdAt } = row
  const user = { id, username, createdAt, hasPassword: Boolean(row.hasPassword) }
  return { claims, user, passkeys: rows.flatMap(passkeyOf), recoveryCodesLeft }
}

const passkeyOf = ({ passkeyId: id, passkeyCreatedAt: createdAt, ...row }: SessionRow) =>
  id === null ? [] : [describePasskey({ ...row, id, createdAt })]

/** @throws ApiError not_signed_in */
export async function requireSession(token: string | null): Promise<Session> {
  const session = await findSession(token)
  if (!session) throw new ApiError('not_signed_in')
  return session
}

/** How long after signing in sensitive changes are allowed: an unattended browser must not give the account away. */
const recentSeconds = 600

/** @throws ApiError reauthentication_required */
export function requireRecentSignIn({ claims }: Session): void {
  if (claims.iat < Date.now() / 1000 - recentSeconds) throw new ApiError('reauthentication_required')
}

/** @throws ApiError not_signed_in, reauthentication_required */
export async function requireRecentSession(token: string | null): Promise<Session> {
  const session = await requireSession(token)
  requireRecentSignIn(session)
  return session
}

/** Opens a session and revokes the request's: a planted token must not outlive a sign-in (session fixation). */
export async function openSession(
  user: UserWithEpoch,
  method: Method,
  context: RequestContext,
): Promise<OpenedSession> {
  await revokeSession(context.session)
  const { sessionSeconds } = settings()
  const claims = { sub: user.id, epoch: user.sessionEpoch }
  const session = await issueToken('session', { ...claims, amr: [method] }, sessionSeconds)
  return {
    user: publicUser(user),
    session: { token: session.token, seconds: sessionSeconds, expiresAt: new Date(session.exp * 1000).toISOString() },
    device: await issueDevice(user, context),
  }
}

/** Revokes the session of a request, if there is one. */
export const signOut = ({ session }: RequestContext) => revokeSession(session)

/** Invalid or already revoked tokens are ignored. */
export async function revokeSession(token: string | null): Promise<void> {
  const claims = token === null ? null : await readToken('session', token)
  if (claims) await consumeToken(claims.jti, claims.exp)
}
