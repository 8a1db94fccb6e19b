import { sql } from '@/lib/database/fragments'
import { recordEvent } from '../audit/events'
import type { UserRow } from '../model/accounts'
import { logoutsOfAccount } from '../sessions/reached-apps'
import { operatorOrigin } from './operator-origin'
import { asOperator } from './write-as-operator'

/** Ends all sessions for good: enabling the account does not revive them, because the epoch has changed. */
export async function disableAccount({ id }: UserRow): Promise<void> {
  const [, , { count }] = await asOperator(id)((db) => [
    ...logoutsOfAccount(db, id, sql`u."id" = ${id} AND NOT u."disabled"`),
    db.user.updateMany({ where: { id, disabled: false }, data: { disabled: true, sessionEpoch: { increment: 1 } } }),
  ])
  if (count === 1) await recordEvent(id, 'account_disabled', operatorOrigin(), 'operator')
}

export async function enableAccount({ id }: UserRow): Promise<void> {
  const [{ count }] = await asOperator(id)((db) => [
    db.user.updateMany({ where: { id, disabled: true }, data: { disabled: false } }),
  ])
  if (count === 1) await recordEvent(id, 'account_enabled', operatorOrigin(), 'operator')
}
