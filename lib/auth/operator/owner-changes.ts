import { changeUsernameInput } from '@/lib/api/schemas'
import { renameUser } from '../account/change-username'
import { deleteUser } from '../account/delete-account'
import type { UserRow } from '../model/accounts'
import { parse } from '../model/parse'
import { replaceCodesOfUser } from '../recovery/codes'
import { logAsOperator, recordAsOperator } from './operator-context'
import { operatorsUsernameChange } from './reassign-username'
import { asOperator } from './write-as-operator'

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
