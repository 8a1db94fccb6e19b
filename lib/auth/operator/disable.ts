import { recordEvent } from '../audit/events'
import type { UserRow } from '../model/accounts'
import { operatorOrigin } from './operator-origin'
import { asOperator } from './write-as-operator'

/**
 * Closes every way in and ends all sessions, for good: enabling the account revives none, because the epoch is another.
 * An account that is disabled stays as it is.
 *
 * @throws ApiError not_found if the account is gone
 */
export async function disableAccount({ id }: UserRow): Promise<void> {
  const [{ count }] = await asOperator(id)((db) => [
    db.user.updateMany({ where: { id, disabled: false }, data: { disabled: true, sessionEpoch: { increment: 1 } } }),
  ])
  if (count === 1) await recordEvent(id, 'account_disabled', operatorOrigin(), 'operator')
}

/** Opens the ways in again. @throws ApiError not_found if the account is gone */
export async function enableAccount({ id }: UserRow): Promise<void> {
  const [{ count }] = await asOperator(id)((db) => [
    db.user.updateMany({ where: { id, disabled: true }, data: { disabled: false } }),
  ])
  if (count === 1) await recordEvent(id, 'account_enabled', operatorOrigin(), 'operator')
}
