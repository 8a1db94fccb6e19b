import { ApiError } from '@/lib/api/errors'
import type { AccountEvent, ListedAccount, ShownAccount } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { codesMadeAt, publicUser, type UserRow, usernameKey } from '../accounts/account'
import { eventsOfAccount } from '../audit/activity'
import { describePasskey, type PasskeyRow, passkeyColumns, userHandleOf } from '../passkeys/passkey'
import { describeSessionRecord, liveSessionRecords, type SessionRecord } from '../sessions/list'
import { readStreak, streakOfUsername } from '../throttling/sign-in-attempt'
import { isoTimeOrNull, type Time } from '../time'

interface Reference {
  /** Null: either may be meant */
  kind: 'id' | 'name' | null
  given: string
}

/** What an operator typed for an account or app: `id:<id>`, `name:<name>`, or either without a prefix. */
export function readReference(text: string): Reference {
  const [, kind, given] = /^(id|name):(.*)$/s.exec(text) ?? []
  return given === undefined ? { kind: null, given: text } : { kind: kind as 'id' | 'name', given }
}

const pageSize = 500

interface Selection {
  createdSince?: Date | undefined
  limit?: number | undefined
}

/** Newest first. Reads pages by id, because no index is ordered by age. */
export async function listAccounts({ createdSince, limit = Number.POSITIVE_INFINITY }: Selection) {
  const db = await database()
  let accounts: ListedAccount[] = []
  for (let after = ''; ; ) {
    const where = { id: { gt: after }, ...(createdSince && { createdAt: { gte: createdSince } }) }
    const rows = await db.user.findMany({ where, orderBy: { id: 'asc' }, take: pageSize, select: listedColumns })
    accounts.push(...rows.map(listedAccount))
    if (accounts.length > 2 * limit) accounts = newest(accounts, limit)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return newest(accounts, limit)
    after = last.id
  }
}

const newest = (accounts: ListedAccount[], limit: number) =>
  accounts.sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, limit)

/** `passwordHash` only shows whether there is one. */
const listedColumns = {
  id: true,
  username: true,
  displayName: true,
  createdAt: true,
  disabled: true,
  passwordHash: true,
  passkeys: { select: passkeyColumns, orderBy: { createdAt: 'asc' } },
} as const

interface ListedRow extends UserRow {
  disabled: boolean
  passwordHash: string | null
  passkeys: PasskeyRow[]
}

const listedAccount = ({ disabled, passwordHash, passkeys, ...user }: ListedRow): ListedAccount => ({
  ...publicUser(user),
  passkeys: passkeys.map(describePasskey),
  hasPassword: passwordHash !== null,
  disabled,
})

/** What `accountDetails` reads. */
const detailedColumns = {
  userHandle: true,
  email: true,
  memberships: true,
  passwordSetAt: true,
  recoveryCodesMadeAt: true,
  _count: { select: { recoveryCodes: true } },
} as const

interface DetailedRow {
  id: string
  userHandle: string | null
  email: string | null
  memberships: { groupName: string }[]
  passwordSetAt: Time | null
  recoveryCodesMadeAt: Time | null
  _count: { recoveryCodes: number }
}

/** What showing and exporting an account say alike, beside the list. */
const accountDetails = ({ memberships, _count, ...row }: DetailedRow) => ({
  email: row.email,
  groups: memberships.map(({ groupName }) => groupName).sort(),
  userHandle: userHandleOf(row),
  passwordSetAt: isoTimeOrNull(row.passwordSetAt),
  recoveryCodesLeft: _count.recoveryCodes,
  recoveryCodesMadeAt: codesMadeAt(_count.recoveryCodes, row.recoveryCodesMadeAt),
})

/** @throws ApiError not_found */
export async function showAccount(named: { id?: string | undefined; username?: string | undefined }) {
  const db = await database()
  const where = named.id === undefined ? { usernameKey: usernameKey(named.username ?? '') } : { id: named.id }
  const select = { ...listedColumns, ...detailedColumns, sessionEpoch: true } as const
  const row = await db.user.findUnique({ where, select })
  if (!row) throw new ApiError('not_found')
  const { id } = row
  const [records, { events }] = await Promise.all([
    liveSessionRecords({ sub: id, epoch: row.sessionEpoch }),
    eventsOfAccount(id),
  ])
  const shown: ShownAccount = {
    ...listedAccount(row),
    ...accountDetails(row),
    sessions: records.map(describeSessionRecord),
    events,
  }
  return shown
}

/** Without credentials, what apps were issued, which sessions reached them, and the outbox. The command adds apps. */
export async function exportAccount({ id }: UserRow) {
  const db = await database()
  const select = {
    ...listedColumns,
    ...detailedColumns,
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
