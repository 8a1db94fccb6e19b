import { sql } from '@/lib/database/fragments'
import type { UserRow } from '../model/accounts'
import { enqueueAccountLogouts } from '../sessions/logouts'
import { announce } from '../webhooks/announce'
import { recordAsOperator } from './operator-context'
import { asOperator } from './write-as-operator'

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
