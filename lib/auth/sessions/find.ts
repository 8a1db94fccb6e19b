import { ApiError } from '@/lib/api/errors'
import type { Account, Method, Passkey } from '@/lib/api/schemas'
import {
  type Fragment,
  type LeftJoined,
  readRows,
  type SqlBoolean,
  type SqlInteger,
  type SqlRow,
  type SqlTime,
  sql,
  unflushed,
} from '@/lib/database/sql'
import { singleton } from '@/lib/process/singleton'
import { afterResponse } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import {
  codesMadeAt,
  groupsAggregate,
  parseGroups,
  publicUser,
  type UserRow,
  type UserWithEpoch,
  userHandleOf,
} from '../account'
import { canVerifyUser, describePasskey, type PasskeyRow, type VerificationRow } from '../passkey'
import { isoOfMilliseconds, isoTimeOrNull, startOfDay } from '../time'
import { verifyAccessCookie } from '../tokens/access-tokens'
import type { Claims } from '../tokens/claims'
import { isConsumed, isUnconsumed, readSessionToken, type SessionClaims } from '../tokens/tokens'

export interface Session {
  user: UserRow &
    SqlRow<'User', 'email' | 'passwordSetAt' | 'recoveryCodesMadeAt'> & {
      groups: string[]
      hasPassword: boolean
      userHandle: string
    }
  /** When the wait of a recovery by mail ends, in milliseconds since 1970; null if none waits */
  recoveryAt: SqlInteger | null
  passkeys: Passkey[]
  /** True if there are passkeys, and all can verify their user */
  passkeysCanVerify: boolean
  recoveryCodesLeft: number
  claims: SessionClaims
}

type UserColumn = 'username' | 'displayName' | 'userHandle' | 'email' | 'passwordSetAt' | 'recoveryCodesMadeAt'

/** A row for each passkey, or one row without any. */
interface SessionRow extends SqlRow<'User', UserColumn>, LeftJoined<PasskeyRow & VerificationRow> {
  userId: string
  userCreatedAt: SqlTime
  groups: string | null
  hasPassword: SqlBoolean
  recoveryCodesLeft: SqlInteger
  recoveryAt: SqlInteger | null
}

/** Selects the end of the wait of the account's recovery by mail that ends first. */
const firstRecovery = (): Fragment => sql`
  (SELECT MIN(r."readyAt") FROM "Recovery" r WHERE r."userId" = u."id" AND r."expiresAt" > ${BigInt(Date.now())})`

const nothingWaits = sql`NULL`

/** Finds the session of a token by one statement, since every authenticated request runs this. */
export async function findSession(token: string | null): Promise<Session | null> {
  const claims = token === null ? null : await readSessionToken(token)
  if (!claims) return null
  const rows = await readRows<SessionRow>`
    SELECT u."id" AS "userId", u."userHandle", u."username", u."displayName", u."email", u."createdAt" AS "userCreatedAt",
           u."passwordHash" IS NOT NULL AS "hasPassword", u."passwordSetAt", u."recoveryCodesMadeAt",
           ${groupsAggregate} AS "groups",
           (SELECT COUNT(*) FROM "RecoveryCode" c WHERE c."userId" = u."id"
             AND (c."expiresAt" IS NULL OR c."expiresAt" > ${BigInt(Date.now())})) AS "recoveryCodesLeft",
           ${settings().mailRecovery === null ? nothingWaits : firstRecovery()} AS "recoveryAt",
           p."id", p."name", p."aaguid", p."createdAt", p."lastUsedAt", p."backedUp", p."deviceType", p."transports",
           p."userVerified", p."createdConditionally"
    FROM "User" u LEFT JOIN "Passkey" p ON p."userId" = u."id"
    WHERE u."id" = ${claims.sub} AND ${isValid({ id: claims.jti, epoch: claims.epoch, passkeyId: claims.pk ?? null })}
    ORDER BY p."createdAt"`
  const [row] = rows
  if (!row) return null
  recordSessionUse(claims.jti, claims.iat)
  const { userId: id, username, displayName, email, userCreatedAt: createdAt } = row
  const { passwordSetAt, recoveryCodesMadeAt, recoveryAt } = row
  const groups = parseGroups(row.groups)
  const userHandle = userHandleOf({ id, userHandle: row.userHandle })
  const hasPassword = Boolean(row.hasPassword)
  const times = { createdAt, passwordSetAt, recoveryCodesMadeAt }
  return {
    user: { id, username, displayName, email, groups, hasPassword, userHandle, ...times },
    recoveryAt,
    passkeys: rows.flatMap(passkeyOf),
    passkeysCanVerify: rows.every(canVerifyUser),
    recoveryCodesLeft: Number(row.recoveryCodesLeft),
    claims,
  }
}

const passkeyOf = (row: SessionRow) => (row.id === null ? [] : [describePasskey(row as PasskeyRow)])

export async function requireSession(token: string | null): Promise<Session> {
  const session = await findSession(token)
  if (!session) throw new ApiError('not_signed_in')
  return session
}

/** There is no password while PASSWORDS=off. `rpId` and `userHandle` are for the WebAuthn Signal API. */
export function describeAccount({ user, passkeys, recoveryCodesLeft, recoveryAt, claims }: Session): Account {
  const { passwords, rpId } = settings()
  const hasPassword = passwords && user.hasPassword
  const { id, username, displayName, createdAt } = publicUser(user)
  // Each session check builds it, and V8 takes a microsecond for every property after a spread.
  return {
    id,
    username,
    displayName,
    createdAt,
    email: user.email,
    groups: user.groups,
    hasPassword,
    passwordSetAt: hasPassword ? isoTimeOrNull(user.passwordSetAt) : null,
    passkeys,
    recoveryCodesLeft,
    recoveryCodesMadeAt: codesMadeAt(recoveryCodesLeft, user.recoveryCodesMadeAt),
    recovery: recoveryAt === null ? null : { at: isoOfMilliseconds(recoveryAt) },
    session: { expiresAt: claims.expiresAt, methods: claims.amr },
    rpId,
    userHandle: user.userHandle,
  }
}

/** Finds the session that a sign-in reauthenticates: the request's, if it is the account's and has not ended. */
export async function continuedSession(
  user: UserWithEpoch,
  shown: Claims<'session'> | null,
): Promise<Claims<'session'> | null> {
  const continues = shown?.sub === user.id && shown.epoch === user.sessionEpoch
  return continues && !(await isConsumed(shown.jti)) ? shown : null
}

interface Identity {
  id: string
  username: string
  displayName: string | null
  groups: string[]
  method: Method
}

/** The tokens of a request, unverified. */
interface ShownTokens {
  /** May belong to another app */
  bearer: string | null
  session: string | null
  access: string | null
}

/**
 * Finds who sent a request to an app that a proxy guards: by the session, or by the access cookie of apps on sub-domains.
 *
 * @param appOrigin of the app that a proxy asks for; null without a proxy. Called only where it decides.
 */
export async function identify(
  { bearer, session, access }: ShownTokens,
  appOrigin: () => string | null,
): Promise<Identity | null> {
  return (
    (await identifyBySession(bearer)) ??
    (await identifyBySession(session)) ??
    (await identifyByAccessCookie(access, appOrigin))
  )
}

async function identifyBySession(token: string | null): Promise<Identity | null> {
  const claims = token === null ? null : await readSessionToken(token)
  return claims && findIdentity(claims, claims.jti, claims.iat)
}

async function identifyByAccessCookie(token: string | null, appOrigin: () => string | null): Promise<Identity | null> {
  const { accessCookie } = settings()
  if (token === null || !accessCookie) return null
  const origin = appOrigin()
  if (origin !== null && !accessCookie.origins.includes(origin)) return null
  const claims = await verifyAccessCookie(token)
  // A copied cookie is worth nothing once its session has ended.
  return claims && findIdentity(claims, claims.sid, claims.auth_time)
}

/**
 * Reads only what a proxy passes on, since a proxy asks before each request of an app.
 *
 * @param recordedAt in seconds since 1970: no later than the session's row
 */
async function findIdentity(
  { sub, epoch, pk, amr }: SessionClaims | Claims<'access'>,
  id: string,
  recordedAt: number,
): Promise<Identity | null> {
  const [user] = await readRows<SqlRow<'User', 'id' | 'username' | 'displayName'> & { groups: string | null }>`
    SELECT u."id", u."username", u."displayName", ${groupsAggregate} AS "groups"
    FROM "User" u WHERE u."id" = ${sub} AND ${isValid({ id, epoch, passkeyId: pk ?? null })}`
  if (!user) return null
  recordSessionUse(id, recordedAt)
  const { id: userId, username, displayName } = user
  return { id: userId, username, displayName, groups: parseGroups(user.groups), method: amr[0] }
}

/** People use fewer sessions in a day; an entry takes about a hundred bytes. */
const maxSessions = 65_536

const usedToday = () => singleton('used-sessions', () => ({ day: 0, ids: new Set<string>() }))

/**
 * Every authenticated request runs this; the first of a day in each process writes, after its response.
 *
 * @param recordedAt in seconds since 1970: no later than its row, which has that day
 */
function recordSessionUse(id: string, recordedAt: number): void {
  const now = Date.now()
  const used = usedToday()
  const day = startOfDay(now)
  if (used.day !== day) {
    used.day = day
    used.ids.clear()
  }
  if (used.ids.has(id)) return
  if (used.ids.size >= maxSessions) used.ids.clear()
  used.ids.add(id)
  if (recordedAt * 1000 >= day) return
  afterResponse(
    () => unflushed.changes`
      UPDATE "Session" SET "lastActiveAt" = ${BigInt(day)}
      WHERE "id" = ${id} AND ("lastActiveAt" IS NULL OR "lastActiveAt" < ${BigInt(day)})`,
  )
}

/* When a session is valid, in SQL: the one rule of everything that reads sessions. */

/** A session's identity and credential, as columns or values. */
interface Terms {
  id: Fragment | string
  epoch: Fragment | number
  passkeyId: Fragment | string | null
}

/**
 * A condition: a sign-in in this epoch, with this passkey if any, still counts, because "User" as `u` has that epoch and that
 * passkey, and is not disabled.
 */
export const stillStands = ({ epoch, passkeyId }: Omit<Terms, 'id'>): Fragment => sql`
  u."sessionEpoch" = ${epoch} AND NOT u."disabled" AND (CAST(${passkeyId} AS TEXT) IS NULL
    OR EXISTS (SELECT 1 FROM "Passkey" k WHERE k."id" = ${passkeyId} AND k."userId" = u."id"))`

/**
 * A condition: a session of "User" as `u` is valid, apart from its expiry. Everything that reads sessions uses this one rule.
 */
export const isValid = ({ id, ...terms }: Terms): Fragment => sql`${stillStands(terms)} AND ${isUnconsumed(id)}`

const ownColumns: Terms = { id: sql`s."id"`, epoch: sql`s."epoch"`, passkeyId: sql`s."passkeyId"` }

/** A condition: the transaction has inserted the record of session `sid`. */
export const isInserted = (sid: string): Fragment => sql`EXISTS (SELECT 1 FROM "Session" s WHERE s."id" = ${sid})`

/** Joins "Session" as `s` to "User" as `u`, where the session is the account's, valid and not expired. */
export const isValidRow = (): Fragment => sql`s."userId" = u."id" AND ${isLiveRow()}`

const isLiveRow = (): Fragment => sql`s."expiresAt" > ${BigInt(Date.now())} AND ${isValid(ownColumns)}`

/**
 * The same for the sessions of these roots. The concatenation keeps the database from choosing the index of an account's
 * sessions, by which it would read all of them.
 */
export const isValidRowOf = (roots: Fragment): Fragment => sql`
  (s."id" IN (${roots}) OR s."rootId" IN (${roots})) AND s."userId" || '' = u."id" AND ${isLiveRow()}`

/** A condition: "User" as `u` has a valid session of this root. */
export const hasSessionOf = (root: Fragment): Fragment => sql`
  EXISTS (SELECT 1 FROM "Session" s WHERE ${isValidRowOf(root)})`
