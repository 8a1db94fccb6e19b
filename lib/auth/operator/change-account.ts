import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { changeUsernameInput } from '@/lib/api/schemas'
import { inBatches } from '@/lib/database/batches'
import { type Database, database } from '@/lib/database/client'
import { isConflict, isGone } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/fragments'
import { jsonOf } from '@/lib/database/json-text'
import { transaction } from '@/lib/database/transaction'
import { singleton } from '@/lib/process/singleton'
import { emailAddress, emailKey, lockExistingUser, type UserRow } from '../accounts/account'
import { deleteUser } from '../accounts/delete'
import {
  emailIdentifier,
  insertIdentifier,
  markAsUsername,
  renameUser,
  retiredDigests,
  type UsernameChange,
  usernameTaken,
} from '../accounts/username'
import { type ActionType, recordEvent } from '../audit/events'
import { logSecurityEvent, type SecurityEvent, type Subject } from '../audit/security-log'
import { announce } from '../audit/webhooks'
import { replaceCodesOfUser } from '../recovery/codes'
import { type EventContext, parse } from '../request'
import { revokeAllSessions } from '../sessions/end'
import { endedOfAccounts, enqueueAccountLogouts, enqueueSessionLogouts } from '../sessions/logouts'
import type { PrivilegedWriter, Writer } from '../sessions/write'

/** Locks the account's row first: a session's writes wait, and then see these. @throws ApiError not_found */
const asOperator = (userId: string) => {
  const write: Writer = async (statements) => {
    const db = await database()
    const guard = lockExistingUser(db, { id: userId })
    return transaction(db, statements(db), [guard]).catch((cause: unknown) => {
      throw isGone(cause) ? new ApiError('not_found', { cause }) : cause
    })
  }
  return write as PrivilegedWriter
}

/** One request id per process, so that a command's log lines can be matched. */
const operatorContext = (): EventContext =>
  singleton('operator-context', () => ({ address: null, userAgent: null, requestId: randomUUID() }))

/** Records an event of the account that an operator's command has caused. */
export const recordAsOperator = (id: string, type: ActionType) =>
  recordEvent(id, type, operatorContext(), { method: 'operator' })

/** Only in the security log, which no account has. */
export const logAsOperator = (event: SecurityEvent, subject: Subject) =>
  logSecurityEvent(event, operatorContext(), { ...subject, method: 'operator' })

/** Ends all sessions for good: enabling the account does not revive them, because the epoch has changed. */
export async function disableAccount({ id }: UserRow): Promise<void> {
  const change = sql`u."id" = ${id} AND NOT u."disabled"`
  const { disabled } = await asOperator(id)((db) => ({
    ...enqueueAccountLogouts(db, id, change),
    announcement: announce(db, 'account.disabled', change),
    disabled: db.user.updateMany({
      where: { id, disabled: false },
      data: { disabled: true, sessionEpoch: { increment: 1 } },
    }),
  }))
  if (disabled.count === 1) await recordAsOperator(id, 'account_disabled')
}

export async function enableAccount({ id }: UserRow): Promise<void> {
  const { enabled } = await asOperator(id)((db) => ({
    announcement: announce(db, 'account.enabled', sql`u."id" = ${id} AND u."disabled"`),
    enabled: db.user.updateMany({ where: { id, disabled: true }, data: { disabled: false } }),
  }))
  if (enabled.count === 1) await recordAsOperator(id, 'account_enabled')
}

/** The operator's word verifies it. @throws ApiError invalid_request, also if another account has it; not_found */
export async function setEmail({ id }: UserRow, given: string | null): Promise<string | null> {
  const email = given === null ? null : parse(z.object({ email: emailAddress }), { email: given }).email
  const key = email === null ? null : emailKey(email)
  const changed = sql`u."id" = ${id} AND u."email" IS DISTINCT FROM ${email}`
  const writing = asOperator(id)((db) => ({
    announcement: announce(db, 'email.changed', changed, { email: jsonOf(email) }),
    updated: statement(db, sql`UPDATE "User" AS u SET "email" = ${email} WHERE ${changed}`),
    identifier: emailIdentifier(db, id, key),
  }))
  const { updated } = await writing.catch((cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause)
      ? new ApiError('invalid_request', { cause, fields: { email: { key: 'email_taken' } } })
      : cause
  })
  if (updated === 1) await recordAsOperator(id, 'email_changed')
  return email
}

/** Any username that no account uses now, without a limit: an operator knows who it is for. */
const operatorsUsernameChange: UsernameChange = {
  statements: (db, id, key) => [...releases(db, id, key), insertIdentifier(db, id, key), markAsUsername(db, id, key)],
  conflict: async (_db, _id, cause) => usernameTaken(cause),
}

export const releases = (db: Database, id: string, key: string) => [
  db.identifier.deleteMany({ where: { key, userId: { not: id }, username: false, email: false } }),
  db.retiredUsername.deleteMany({ where: { digest: { in: retiredDigests(key) } } }),
]

/** Of these, the usernames that `releases()` would free of former owners. Only a hint, which saves statements. */
export async function releasableUsernames(db: Database, keys: string[]): Promise<Set<string>> {
  const keysByDigest = new Map(keys.flatMap((key) => retiredDigests(key).map((digest) => [digest, key])))
  const [former, retired] = await Promise.all([
    db.identifier.findMany({ where: { key: { in: keys }, username: false, email: false }, select: { key: true } }),
    db.retiredUsername.findMany({ where: { digest: { in: [...keysByDigest.keys()] } }, select: { digest: true } }),
  ])
  return new Set([...former.map(({ key }) => key), ...retired.flatMap(({ digest }) => keysByDigest.get(digest) ?? [])])
}

/* What owners do behind a step-up, for owners who cannot. Each function throws `not_found` if the account is gone. */

/** @throws ApiError invalid_request, username_taken */
export async function renameAsOperator(account: UserRow, name: string): Promise<UserRow> {
  const { username } = parse(changeUsernameInput, { username: name })
  if (username === account.username) return account
  const { isChanged, user } = await renameUser(asOperator(account.id), account.id, username, operatorsUsernameChange)
  if (isChanged) await recordAsOperator(account.id, 'username_changed')
  return user
}

/** Also ends the sessions that old codes opened. Only digests of the returned codes are stored. */
export async function replaceCodesAsOperator({ id }: UserRow): Promise<string[]> {
  const codes = await replaceCodesOfUser(asOperator(id), id, null)
  await recordAsOperator(id, 'recovery_codes_made')
  return codes
}

/** The account's events are deleted with it, so only the security log records this. */
export async function deleteAsOperator({ id }: UserRow): Promise<void> {
  await deleteUser(asOperator(id), id)
  logAsOperator('account_deleted', { account: id, count: 1 })
}

export async function signOutAccount({ id }: UserRow): Promise<void> {
  await revokeAllSessions(asOperator(id), id, null)
  await recordAsOperator(id, 'signed_out_everywhere')
}

/** Can be repeated after an interruption. @returns the number of accounts */
export async function signOutAllAccounts(): Promise<number> {
  let count = 0
  try {
    await forAllAccounts(async (db, gt, lte) => {
      const accounts = { where: { id: { gt, lte } }, data: { sessionEpoch: { increment: 1 } } }
      const { signedOut } = await transaction(db, {
        signedOut: db.user.updateMany(accounts),
        ...enqueueSessionLogouts(db, endedOfAccounts(sql`r."userId" > ${gt} AND r."userId" <= ${lte}`)),
      })
      count += signedOut.count
    })
  } catch (error) {
    if (count > 0) logAsOperator('signed_out_everywhere', { count })
    throw error
  }
  logAsOperator('signed_out_everywhere', { count })
  return count
}

/** Writes in batches: to the accounts whose ids are greater than `after` and at most `last`. */
export async function forAllAccounts(write: (db: Database, after: string, last: string) => Promise<void>) {
  const db = await database()
  let after = ''
  await inBatches(async (take) => {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take,
      select: { id: true },
    })
    const last = users.at(-1)?.id
    if (last === undefined) return { isLast: true }
    await write(db, after, last)
    after = last
    return { isLast: false }
  })
}
