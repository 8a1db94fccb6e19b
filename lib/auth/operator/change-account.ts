import * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { changeUsernameInput, emailAddress } from '@/lib/api/schemas'
import { inBatches } from '@/lib/database/batches'
import { type Database, database, transaction } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/sql'
import { jsonOf } from '@/lib/delivery/outbox'
import { emailKey, type UserRow, type UserWithEpoch } from '../account'
import { deleteUser } from '../accounts/delete'
import { emailIdentifier, insertIdentifier, markAsUsername, releases } from '../accounts/identifiers'
import { nameUser, ownersUsernameChange, renameUser, type UsernameChange, usernameTaken } from '../accounts/names'
import { recipientOf, writeToFormer } from '../events/letters'
import { byOperator, logChange, recordChange } from '../events/operators-log'
import { announce } from '../events/webhooks'
import { replaceCodesByOne } from '../recovery/codes'
import { parse } from '../request'
import { endOfPasskey, endOfRecoveries, recordStop } from '../sessions/end'
import { liveSessionRecord } from '../sessions/list'
import {
  enqueueAccountLogouts,
  enqueueSessionLogouts,
  hasEndedOfAccount,
  hasEndedOfAccounts,
} from '../sessions/reached-apps'
import { endListedSession, revokeAllSessions } from '../sessions/sign-out'
import { writeWithLogouts } from '../sessions/write'
import { asOperator, endOfMade } from './guards'
import { endOfKeys } from './keys'
import { makerOf, type Operator } from './operator'

/** Ends all sessions for good: enabling the account does not revive them, because the epoch has changed. */
export async function disableAccount(operator: Operator, { id }: UserRow): Promise<void> {
  const change = sql`u."id" = ${id} AND NOT u."disabled"`
  const write = asOperator(operator, id, { ends: sql`u."id" = ${id}` })
  const { disabled, stopped } = await write((db) => ({
    ...enqueueAccountLogouts(db, id, change),
    ...endOfMade(db, sql`${id}`),
    announcement: announce(db, 'account.disabled', change),
    disabled: db.user.updateMany({
      where: { id, disabled: false },
      data: { disabled: true, sessionEpoch: { increment: 1 } },
    }),
    keys: endOfKeys(db, sql`${id}`),
    ...endOfRecoveries(db, sql`${id}`),
  }))
  if (disabled.count === 1) await recordChange(operator, 'account_disabled', { account: id })
  await recordStop(stopped, id, operator.context, byOperator(operator))
}

export async function enableAccount(operator: Operator, { id }: UserRow): Promise<void> {
  const write = asOperator(operator, id)
  const { enabled } = await write((db) => ({
    announcement: announce(db, 'account.enabled', sql`u."id" = ${id} AND u."disabled"`),
    enabled: db.user.updateMany({ where: { id, disabled: true }, data: { disabled: false } }),
  }))
  if (enabled.count === 1) await recordChange(operator, 'account_enabled', { account: id })
}

/**
 * Sets an address, which counts as verified for apps and recovers nothing.
 *
 * @throws ApiError invalid_request, also if another account has it; not_found
 */
export async function setEmail(operator: Operator, { id }: UserRow, given: string | null): Promise<string | null> {
  const email = given === null ? null : parse(z.object({ email: emailAddress }), { email: given }).email
  const key = email === null ? null : emailKey(email)
  const changed = sql`u."id" = ${id} AND u."email" IS DISTINCT FROM ${email}`
  const former = await recipientOf(id)
  const write = asOperator(operator, id)
  const writing = write((db) => ({
    announcement: announce(db, 'email.changed', changed, { email: jsonOf(email) }),
    ...endOfRecoveries(db, sql`SELECT u."id" FROM "User" u WHERE ${changed}`),
    updated: statement(db)`UPDATE "User" AS u SET "email" = ${email}, "emailProvedAt" = NULL WHERE ${changed}`,
    identifier: emailIdentifier(db, id, key),
    // Otherwise a code that a session has asked for before could undo this, without another step-up.
    codes: db.emailCode.deleteMany({ where: { userId: id } }),
  }))
  const { updated, stopped } = await writing.catch((cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause)
      ? new ApiError('invalid_request', { cause, fields: { email: { key: 'email_taken' } } })
      : cause
  })
  if (updated === 1) {
    await recordChange(operator, 'email_changed', { account: id })
    await writeToFormer(former, 'email_removed', { origin: operator.context, method: 'operator' })
    await recordStop(stopped, id, operator.context, byOperator(operator))
  }
  return email
}

/** An operator may reuse any username that no account has now, without the owner's limit. */
const operatorsUsernameChange: UsernameChange = {
  statements: (db, id, key) => [...releases(db, id, key), insertIdentifier(db, id, key), markAsUsername(db, id, key)],
  conflict: async (_db, _id, cause) => usernameTaken(cause),
}

/* What owners do behind a step-up, for owners who cannot. Each function throws `not_found` if the account is gone. */

/** @throws ApiError invalid_request, username_taken */
export async function renameAsOperator(operator: Operator, account: UserRow, name: string): Promise<UserRow> {
  const { username } = parse(changeUsernameInput, { username: name })
  if (username === account.username) return account
  const write = asOperator(operator, account.id)
  const change = operator.kind === 'command' ? operatorsUsernameChange : ownersUsernameChange
  const { isChanged, user } = await renameUser(write, account.id, username, change)
  if (isChanged) await recordChange(operator, 'username_changed', { account: account.id })
  return user
}

export async function nameAsOperator(operator: Operator, { id }: UserRow, name: string | null): Promise<UserRow> {
  const { isChanged, user } = await nameUser(asOperator(operator, id), id, name)
  if (isChanged) await recordChange(operator, 'name_changed', { account: id })
  return user
}

/**
 * Also ends the sessions that old codes opened. Only a digest of the code is stored.
 *
 * @throws ApiError not_allowed for one's own account: an administrator's way in takes somebody else, or a passkey
 */
export async function makeRecoveryCode(operator: Operator, { id }: UserRow) {
  if (operator.by === id) throw new ApiError('not_allowed')
  const made = await replaceCodesByOne(asOperator(operator, id), id, makerOf(operator))
  await recordChange(operator, 'recovery_codes_made', { account: id })
  return made
}

/** Also ends the sessions that it opened. It may be the last way in: its person gets a recovery code then. */
export async function removePasskeyAsOperator(operator: Operator, { id }: UserRow, passkey: string): Promise<void> {
  const write = asOperator(operator, id, { passkey })
  const { removed } = await writeWithLogouts(write, hasEndedOfAccount(id), (db) => ({
    removed: db.passkey.deleteMany({ where: { id: passkey, userId: id } }),
    ...endOfPasskey(db, id, passkey),
  }))
  if (removed.count === 0) throw new ApiError('not_found')
  await recordChange(operator, 'passkey_removed', { account: id })
}

export async function endSession(operator: Operator, { id, sessionEpoch: epoch }: UserWithEpoch, session: string) {
  const record = await liveSessionRecord({ sub: id, epoch }, session)
  if (!record) throw new ApiError('not_found')
  await endListedSession(asOperator(operator, id), { userId: id, id: session, record, kept: null })
  await recordChange(operator, 'session_revoked', { account: id })
}

/** Deletes an account. Its events go with it, so only the security log records this. */
export async function deleteAsOperator(operator: Operator, { id }: UserRow): Promise<void> {
  const former = await recipientOf(id)
  const write = asOperator(operator, id, { ends: sql`u."id" = ${id}` })
  await deleteUser(write, id)
  await writeToFormer(former, 'account_deleted', { origin: operator.context, method: 'operator' })
  await logChange(operator, 'account_deleted', { account: id, count: 1 })
}

export async function signOutAccount(operator: Operator, { id }: UserRow): Promise<void> {
  await revokeAllSessions(asOperator(operator, id), id, null)
  await recordChange(operator, 'signed_out_everywhere', { account: id })
}

/** Can be repeated after an interruption. @returns the number of accounts */
export async function signOutAllAccounts(operator: Operator): Promise<number> {
  let count = 0
  try {
    await forAllAccounts(async (db, gt, lte) => {
      const accounts = { where: { id: { gt, lte } }, data: { sessionEpoch: { increment: 1 } } }
      const { signedOut } = await transaction(db, {
        signedOut: db.user.updateMany(accounts),
        ...enqueueSessionLogouts(db, hasEndedOfAccounts(sql`r."userId" > ${gt} AND r."userId" <= ${lte}`)),
      })
      count += signedOut.count
    })
  } catch (error) {
    if (count > 0) await logChange(operator, 'signed_out_everywhere', { count })
    throw error
  }
  await logChange(operator, 'signed_out_everywhere', { count })
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
