import { sql } from '@/lib/database/fragments'
import { recordEvent } from '../audit/events'
import type { UserRow } from '../model/accounts'
import { logoutsOfAccount } from '../sessions/logouts'
import { announce } from '../webhooks/events'
import { operatorOrigin } from './operator-origin'
import { asOperator } from './write-as-operator'

/** Ends all sessions for good: enabling the account does not revive them, because the epoch has changed. */
export async function disableAccount({ id }: UserRow): Promise<void> {
  const change = sql`u."id" = ${id} AND NOT u."disabled"`
  const writes = await asOperator(id)((db) => [
    ...logoutsOfAccount(db, id, change),
    ...announce(db, 'account.disabled', change),
    db.user.updateMany({ where: { id, disabled: false }, data: { disabled: true, sessionEpoch: { increment: 1 } } }),
  ])
  if (hasChanged(writes)) await recordEvent(id, 'account_disabled', operatorOrigin(), { method: 'operator' })
}

export async function enableAccount({ id }: UserRow): Promise<void> {
  const writes = await asOperator(id)((db) => [
    ...announce(db, 'account.enabled', sql`u."id" = ${id} AND u."disabled"`),
    db.user.updateMany({ where: { id, disabled: true }, data: { disabled: false } }),
  ])
  if (hasChanged(writes)) await recordEvent(id, 'account_enabled', operatorOrigin(), { method: 'operator' })
}

/** The update comes last. */
const hasChanged = (writes: unknown[]) => (writes.at(-1) as { count: number }).count === 1
