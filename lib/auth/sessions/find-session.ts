import { ApiError } from '@/lib/api/errors'
import type { Passkey } from '@/lib/api/schemas'
import { readRows, type SqlBoolean, type SqlInteger } from '@/lib/database/direct-sql'
import type { UserRow } from '../model/accounts'
import { groupsAggregate, parseGroups } from '../model/groups'
import { canVerifyUser, describePasskey, type PasskeyRow } from '../model/passkey'
import type { Time } from '../model/time'
import { userHandleOf } from '../model/user-handle'
import { readSessionToken, type SessionClaims } from '../tokens/session-token'
import { recordSessionUse } from './last-use'
import { isValid } from './validity'

export interface Session {
  user: UserRow & {
    email: string | null
    groups: string[]
    hasPassword: boolean
    userHandle: string
    passwordSetAt: Time | null
    recoveryCodesMadeAt: Time | null
  }
  passkeys: Passkey[]
  /** There are passkeys, and all can verify their user. */
  passkeysCanVerify: boolean
  recoveryCodesLeft: number
  claims: SessionClaims
}

/** One row per passkey, or one without any. */
interface SessionRow extends Omit<PasskeyRow, 'id'> {
  userId: string
  userHandle: string | null
  username: string
  email: string | null
  groups: string | null
  userCreatedAt: Time
  hasPassword: SqlBoolean
  passwordSetAt: Time | null
  recoveryCodesMadeAt: Time | null
  recoveryCodesLeft: SqlInteger
  id: string | null
  userVerified: SqlBoolean | null
  createdConditionally: SqlBoolean | null
}

/** Every authenticated request runs this, so it is one statement, shared by both databases. */
export async function findSession(token: string | null): Promise<Session | null> {
  const claims = token === null ? null : await readSessionToken(token)
  if (!claims) return null
  const rows = await readRows<SessionRow>`
    SELECT u."id" AS "userId", u."userHandle", u."username", u."email", u."createdAt" AS "userCreatedAt",
           u."passwordHash" IS NOT NULL AS "hasPassword", u."passwordSetAt", u."recoveryCodesMadeAt",
           ${groupsAggregate} AS "groups",
           (SELECT COUNT(*) FROM "RecoveryCode" c WHERE c."userId" = u."id") AS "recoveryCodesLeft",
           p."id", p."name", p."aaguid", p."createdAt", p."lastUsedAt", p."backedUp", p."deviceType", p."transports",
           p."userVerified", p."createdConditionally"
    FROM "User" u LEFT JOIN "Passkey" p ON p."userId" = u."id"
    WHERE u."id" = ${claims.sub} AND ${isValid({ id: claims.jti, epoch: claims.epoch, passkeyId: claims.pk ?? null })}
    ORDER BY p."createdAt"`
  const [row] = rows
  if (!row) return null
  recordSessionUse(claims.jti, claims.iat)
  const recoveryCodesLeft = Number(row.recoveryCodesLeft)
  const { userId: id, username, email, userCreatedAt: createdAt, passwordSetAt, recoveryCodesMadeAt } = row
  const groups = parseGroups(row.groups)
  const userHandle = userHandleOf({ id, userHandle: row.userHandle })
  const hasPassword = Boolean(row.hasPassword)
  const user = { id, username, email, groups, createdAt, hasPassword, passwordSetAt, recoveryCodesMadeAt, userHandle }
  const passkeysCanVerify = rows.every(canVerifyUser)
  return { claims, user, passkeys: rows.flatMap(passkeyOf), passkeysCanVerify, recoveryCodesLeft }
}

const passkeyOf = (row: SessionRow) => (row.id === null ? [] : [describePasskey(row as PasskeyRow)])

export async function requireSession(token: string | null): Promise<Session> {
  const session = await findSession(token)
  if (!session) throw new ApiError('not_signed_in')
  return session
}
