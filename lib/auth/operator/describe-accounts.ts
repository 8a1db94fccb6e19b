import type { AccountEvent, LiveSession, Passkey, User } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { eventsOfAccount } from '../account/events/list-events'
import { codesMadeAt, publicUser, type UserRow } from '../model/accounts'
import { describePasskey, type PasskeyRow, passkeyColumns } from '../model/passkey'
import { isoTimeOrNull, type Time } from '../model/time'
import { userHandleOf } from '../model/user-handle'
import { describeSessionRecord } from '../sessions/list-sessions'
import { liveSessionRecords } from '../sessions/session-records'

export interface ListedAccount extends User {
  passkeys: Passkey[]
  hasPassword: boolean
  disabled: boolean
}

export interface ShownAccount extends ListedAccount {
  email: string | null
  groups: string[]
  userHandle: string
  passwordSetAt: string | null
  recoveryCodesLeft: number
  recoveryCodesMadeAt: string | null
  sessions: Omit<LiveSession, 'current'>[]
  events: AccountEvent[]
}

/** `passwordHash` only shows whether there is one. */
export const listedColumns = {
  id: true,
  username: true,
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

export const listedAccount = ({ disabled, passwordHash, passkeys, ...user }: ListedRow): ListedAccount => ({
  ...publicUser(user),
  passkeys: passkeys.map(describePasskey),
  hasPassword: passwordHash !== null,
  disabled,
})

/** What `accountDetails` reads. */
export const detailedColumns = {
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
export const accountDetails = ({ memberships, _count, ...row }: DetailedRow) => ({
  email: row.email,
  groups: memberships.map(({ groupName }) => groupName).sort(),
  userHandle: userHandleOf(row),
  passwordSetAt: isoTimeOrNull(row.passwordSetAt),
  recoveryCodesLeft: _count.recoveryCodes,
  recoveryCodesMadeAt: codesMadeAt(_count.recoveryCodes, row.recoveryCodesMadeAt),
})

export async function showAccount(id: string): Promise<ShownAccount | null> {
  const db = await database()
  const select = { ...listedColumns, ...detailedColumns, sessionEpoch: true } as const
  const row = await db.user.findUnique({ where: { id }, select })
  if (!row) return null
  const [records, { events }] = await Promise.all([
    liveSessionRecords({ sub: id, epoch: row.sessionEpoch }),
    eventsOfAccount(id),
  ])
  return {
    ...listedAccount(row),
    ...accountDetails(row),
    sessions: records.map(describeSessionRecord),
    events,
  }
}
