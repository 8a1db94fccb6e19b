import { ApiError } from '@/lib/api/errors'
import type { AccountEvent, ListedAccount, ShownAccount } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import type { SqlRow } from '@/lib/database/sql'
import { codesMadeAt, publicUser, type UserRow, userHandleOf, usernameKey } from '../account'
import { eventsOfAccount } from '../accounts/activity'
import { describePasskey, type PasskeyRow, passkeyColumns } from '../passkey'
import { isUnexpired } from '../recovery/codes'
import { describeSessionRecord, liveSessionRecords, type SessionRecord } from '../sessions/list'
import { readStreak, streakOfUsername } from '../throttling/attempts'
import { isoOfMilliseconds, isoTimeOrNull } from '../time'
import { findAccounts, type Selection } from './account-search'

export async function listAccounts(selection: Selection) {
  const { ids, after } = await findAccounts(selection)
  return { accounts: await listed(ids), after }
}

/** Reads the accounts with these ids, in this order. */
async function listed(ids: string[]): Promise<ListedAccount[]> {
  const db = await database()
  const [rows, days] = await Promise.all([
    db.user.findMany({ where: { id: { in: ids } }, select: listedColumns }),
    db.session.groupBy({ by: ['userId'], where: { userId: { in: ids } }, _max: { lastActiveAt: true } }),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const activeAt = new Map(days.map(({ userId, _max }) => [userId, _max.lastActiveAt]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    const time = activeAt.get(id) ?? null
    const lastActiveAt = time === null ? null : isoOfMilliseconds(time).slice(0, 10)
    return [{ ...accountOf(row), lastActiveAt }]
  })
}

/** `passwordHash` only shows whether there is one. */
const listedColumns = {
  id: true,
  username: true,
  displayName: true,
  createdAt: true,
  disabled: true,
  email: true,
  memberships: true,
  passwordHash: true,
  passkeys: { select: passkeyColumns, orderBy: { createdAt: 'asc' } },
} as const

interface ListedRow extends UserRow, SqlRow<'User', 'disabled' | 'email' | 'passwordHash'> {
  memberships: SqlRow<'Membership', 'groupName'>[]
  passkeys: PasskeyRow[]
}

const accountOf = ({ disabled, email, memberships, passwordHash, passkeys, ...user }: ListedRow) => ({
  ...publicUser(user),
  email,
  groups: memberships.map(({ groupName }) => groupName).sort(),
  passkeys: passkeys.map(describePasskey),
  hasPassword: passwordHash !== null,
  disabled: Boolean(disabled),
})

/** The columns that `accountDetails` reads. */
const detailedColumns = () =>
  ({
    userHandle: true,
    passwordSetAt: true,
    recoveryCodesMadeAt: true,
    _count: { select: { recoveryCodes: { where: isUnexpired() } } },
  }) as const

interface DetailedRow extends SqlRow<'User', 'id' | 'userHandle' | 'passwordSetAt' | 'recoveryCodesMadeAt'> {
  _count: { recoveryCodes: number }
}

/** Describes what `show` and `export` add to a listed account. */
const accountDetails = ({ _count, ...row }: DetailedRow) => ({
  userHandle: userHandleOf(row),
  passwordSetAt: isoTimeOrNull(row.passwordSetAt),
  recoveryCodesLeft: _count.recoveryCodes,
  recoveryCodesMadeAt: codesMadeAt(_count.recoveryCodes, row.recoveryCodesMadeAt),
})

/** @throws ApiError not_found */
export async function showAccount(named: { id?: string | undefined; username?: string | undefined }) {
  const db = await database()
  const where = named.id === undefined ? { usernameKey: usernameKey(named.username ?? '') } : { id: named.id }
  const select = { ...listedColumns, ...detailedColumns(), sessionEpoch: true } as const
  const row = await db.user.findUnique({ where, select })
  if (!row) throw new ApiError('not_found')
  const { id } = row
  const [records, { events }] = await Promise.all([
    liveSessionRecords({ sub: id, epoch: row.sessionEpoch }),
    eventsOfAccount(id),
  ])
  const shown: ShownAccount = {
    ...accountOf(row),
    ...accountDetails(row),
    sessions: records.map(describeSessionRecord),
    events,
  }
  return shown
}

/** Leaves out credentials, apps' tokens and sessions, and the outbox. The command adds the apps. */
export async function exportAccount({ id }: UserRow) {
  const db = await database()
  const select = {
    ...listedColumns,
    ...detailedColumns(),
    passkeys: { orderBy: { createdAt: 'asc' } },
    identifiers: true,
    sessions: { orderBy: { openedAt: 'desc' } },
  } as const
  const row = await db.user.findUnique({ where: { id }, select })
  if (!row) return null
  return {
    ...publicUser(row),
    formerUsernames: row.identifiers.filter(({ former }) => former).map(({ key }) => key),
    disabled: row.disabled,
    hasPassword: row.passwordHash !== null,
    email: row.email,
    groups: row.memberships.map(({ groupName }) => groupName).sort(),
    ...accountDetails(row),
    failedAttemptsInARow: await readStreak(streakOfUsername(row.username)),
    passkeys: row.passkeys.map((passkey) => ({
      ...describePasskey(passkey),
      aaguid: passkey.aaguid,
      publicKey: Buffer.from(passkey.publicKey).toString('base64url'),
      counter: Number(passkey.counter),
      userVerified: passkey.userVerified,
      userHandle: passkey.userHandle,
    })),
    sessions: row.sessions.map((session) => ({
      ...describeSessionRecord(session as SessionRecord),
      passkey: session.passkeyId,
    })),
    events: await allEvents(id),
  }
}

async function allEvents(id: string): Promise<AccountEvent[]> {
  const events: AccountEvent[] = []
  for (let before: string | undefined; ; ) {
    const page = await eventsOfAccount(id, before === undefined ? {} : { before })
    events.push(...page.events)
    if (page.next === undefined) return events
    before = page.next
  }
}
