import type { AccountEvent } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { eventsOfAccount } from '../account/events/list-events'
import { publicUser, type UserRow } from '../model/accounts'
import { describePasskey } from '../model/passkey'
import { describeSessionRecord } from '../sessions/list-sessions'
import type { SessionRecord } from '../sessions/session-records'
import { readStreak, streakOfUsername } from '../throttling/failure-streak'
import { accountDetails, detailedColumns, listedColumns } from './describe-accounts'

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
