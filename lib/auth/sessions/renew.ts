import type { Method, User } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { sql, statement } from '@/lib/database/sql'
import { publicUser, type UserRow } from '../accounts/account'
import { browserName } from '../audit/browser-name'
import type { RequestContext } from '../request'
import { isoOfMilliseconds, nowInSeconds } from '../time'
import { type AccessCookie, issueAccessCookie } from '../tokens/access-tokens'
import { type Claims, deviceSeconds, rootOf } from '../tokens/claims'
import { issueToken, newTokenId, readDevice } from '../tokens/tokens'
import { startOfDay, stillStands } from './find'
import type { SessionRecord } from './list'
import type { StepUp } from './step-up'

/** A record together with the facts that only the token holds. */
export interface NewSessionRecord extends SessionRecord {
  userVerified: boolean
  /** The time of the sign-up in seconds since 1970, if that opened the root */
  signedUp: number | null
}

/** Renews a record. `openedAt` stays the time of the credential. */
export const renewedRecord = (session: Claims<'session'>, context: RequestContext): NewSessionRecord => ({
  id: newTokenId(),
  userId: session.sub,
  epoch: session.epoch,
  method: session.amr[0],
  passkeyId: session.pk ?? null,
  userVerified: session.uv === true,
  browser: browserName(context.userAgent),
  openedAt: BigInt(session.auth_time * 1000),
  expiresAt: BigInt(session.exp * 1000),
  lastActiveAt: BigInt(startOfDay(Date.now())),
  rootId: rootOf(session),
  signedUp: session.signed_up ?? null,
})

/**
 * Inserts the session that replaces another, in the transaction that ends that one: a concurrent change that ends sessions
 * would miss one that came later.
 */
export const renewal = (db: Database, record: SessionRecord, condition = sql`TRUE`) =>
  statement(db, sql`${insertion(record, {})} AND ${condition}`)

/** The credential that must still be there when we write the record, which consumes a recovery code. */
export interface ExpectedCredential {
  passwordHash?: string
  codeHash?: string
}

/** Inserts a session's record, while the credential is still there: of a sign-in as of a renewal. */
export const insertion = (record: SessionRecord, { passwordHash, codeHash }: ExpectedCredential) => sql`
  INSERT INTO "Session" ("id", "userId", "epoch", "method", "passkeyId", "browser", "openedAt", "expiresAt", "lastActiveAt", "rootId")
  SELECT ${record.id}, u."id", u."sessionEpoch", ${record.method}, ${record.passkeyId}, ${record.browser},
    ${record.openedAt}, ${record.expiresAt}, ${record.lastActiveAt}, ${record.rootId}
  FROM "User" u
  WHERE u."id" = ${record.userId} AND ${stillStands(record)}
    AND (CAST(${passwordHash ?? null} AS TEXT) IS NULL OR u."passwordHash" = ${passwordHash ?? null})
    AND (CAST(${codeHash ?? null} AS TEXT) IS NULL
      OR EXISTS (SELECT 1 FROM "RecoveryCode" c WHERE c."hash" = ${codeHash ?? null} AND c."userId" = u."id"))`

/**
 * Issues the tokens of a session that replaces another.
 *
 * @param stepUp the one that goes on in the new session; without it, the person has to show a credential again
 */
export async function issueRenewed(
  user: UserRow,
  record: NewSessionRecord,
  context: RequestContext,
  stepUp: StepUp | null = null,
): Promise<OpenedSession> {
  const device = await readDevice(user.id, context)
  const tokens = await issueSessionTokens(user, record, device, nowInSeconds())
  return { ...tokens, stepUp: stepUp && (await stepUp.forRenewed(record)) }
}

/** `seconds` is a token's lifetime; `stepUp` is a token that proves a credential. */
export interface OpenedSession {
  user: User
  session: { token: string; seconds: number; expiresAt: string }
  device: { token: string; seconds: number }
  access: AccessCookie | null
  stepUp: string | null
}

/**
 * @param device the browser's device token, if it has signed in to the account before
 * @param iat the session token's
 */
export async function issueSessionTokens(
  user: UserRow,
  record: NewSessionRecord,
  device: Claims<'device'> | null,
  iat: number,
): Promise<Omit<OpenedSession, 'stepUp'>> {
  const { id: jti, userId: sub, epoch, method, passkeyId, userVerified, openedAt, expiresAt, rootId, signedUp } = record
  const seconds = Number(expiresAt) / 1000 - iat
  const passkey = { ...(passkeyId && { pk: passkeyId }), ...(userVerified && { uv: true as const }) }
  const first = { ...(rootId !== null && { root: rootId }), ...(signedUp !== null && { signed_up: signedUp }) }
  const claims = { sub, epoch, amr: [method] as [Method], auth_time: Number(openedAt) / 1000, ...passkey, ...first }
  const session = await issueToken('session', claims, seconds, { jti, iat })
  // A browser keeps its identity, so that signing in again gives it no further attempts.
  const known = device ? { jti: device.jti } : {}
  const { token } = await issueToken('device', { sub, epoch }, deviceSeconds, known)
  return {
    user: publicUser(user),
    session: { token: session.token, seconds, expiresAt: isoOfMilliseconds(expiresAt) },
    device: { token, seconds: deviceSeconds },
    access: await issueAccessCookie({ ...claims, jti, iat, exp: session.exp }),
  }
}
