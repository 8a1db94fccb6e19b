import { ApiError } from '@/lib/api/errors'
import type { Method, Passkey, User } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { consumeToken } from '@/lib/database/consumed-tokens'
import { settings } from '@/lib/settings/settings'
import { type Owner, publicUser, type UserRow } from './accounts'
import { fromRow, type PasskeyRow } from './passkeys/passkey'
import type { RequestContext } from './request-context'
import { type Claims, deviceSeconds, issueToken, readToken } from './tokens'

/** A session that is good: its account, the account's passkeys, and the token's own claims. */
export interface Session {
  user: UserRow & { hasPassword: boolean }
  passkeys: Passkey[]
  recoveryCodesLeft: number
  claims: Claims<'session'>
}

/** What a sign-in gives: two tokens for the client to keep, and how long (seconds) they last. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
}

type Row = UserRow & { hasPassword: boolean | number | bigint; recoveryCodesLeft: number | bigint } & PasskeyRow

/**
 * The session of a token: its signature, type and time are good, it is not spent, its account exists and the account's
 * epoch is still its own. This is the one hot read, so it is one statement, which SQLite and PostgreSQL both understand.
 */
export async function findSession(token: string | null): Promise<Session | null> {
  const claims = token === null ? null : await readToken('session', token)
  if (!claims) return null
  const db = await database()
  const rows = await db.$queryRaw<Row[]>`
    SELECT u."id", u."username", u."createdAt", u."passwordHash" IS NOT NULL AS "hasPassword",
           (SELECT COUNT(*) FROM "RecoveryCode" c WHERE c."userId" = u."id") AS "recoveryCodesLeft", p."id" AS "passkeyId", p."name",
           p."aaguid", p."createdAt" AS "passkeyCreatedAt", p."lastUsedAt", p."backedUp", p."deviceType", p."transports"
    FROM "User" u LEFT JOIN "Passkey" p ON p."userId" = u."id"
    WHERE u."id" = ${claims.sub} AND u."sessionEpoch" = ${claims.epoch}
      AND NOT EXISTS (SELECT 1 FROM "SpentToken" s WHERE s."id" = ${claims.jti})
    ORDER BY p."createdAt"`
  const [row] = rows
  if (!row) return null
  const passkeys = rows.filter((row) => row.passkeyId !== null).map(fromRow)
  const recoveryCodesLeft = Number(row.recoveryCodesLeft)
  return {
    claims,
    passkeys,
    recoveryCodesLeft,
    user: { id: row.id, username: row.username, createdAt: row.createdAt, hasPassword: Boolean(row.hasPassword) },
  }
}

/** @throws ApiError not_signed_in */
export async function requireSession(token: string | null): Promise<Session> {
  const session = await findSession(token)
  if (!session) throw new ApiError('not_signed_in')
  return session
}

/** How long after signing in a session may change what matters, in seconds: a browser left open must not give an account away. */
const recentSeconds = 600

/** @throws ApiError reauthentication_required if the person signed in too long ago */
export function requireRecentSignIn({ claims }: Session): void {
  if (claims.iat < Date.now() / 1000 - recentSeconds) throw new ApiError('reauthentication_required')
}

/** @throws ApiError not_signed_in, reauthentication_required */
export async function requireRecentSession(token: string | null): Promise<Session> {
  const session = await requireSession(token)
  requireRecentSignIn(session)
  return session
}

/**
 * Opens a session for a user who has just proved who they are, and spends the one that it replaces: a token that someone
 * planted or left behind does not live on beside it.
 */
export async function openSession(user: Owner, method: Method, context: RequestContext): Promise<OpenedSession> {
  await revokeSession(context.session)
  const { sessionSeconds } = settings()
  const claims = { sub: user.id, epoch: user.sessionEpoch }
  const session = await issueToken('session', { ...claims, amr: [method] }, sessionSeconds)
  const device = await issueToken('device', claims, deviceSeconds)
  return {
    user: publicUser(user),
    session: { token: session.token, seconds: sessionSeconds, expiresAt: new Date(session.exp * 1000).toISOString() },
    device: { token: device.token, seconds: deviceSeconds },
  }
}

/** Revokes the session of a request, if there is one. */
export const signOut = ({ session }: RequestContext) => revokeSession(session)

/** Spends a session. A token that is not good, or was spent before, is as ended as it can be. */
export async function revokeSession(token: string | null): Promise<void> {
  const claims = token === null ? null : await readToken('session', token)
  if (claims) await consumeToken(claims.jti, claims.exp)
}
