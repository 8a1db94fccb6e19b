import type { UserRow } from '@/lib/auth/model/accounts'
import { findAccounts } from '@/lib/auth/operator/find-accounts'
import { onlyMatch } from '../command/only-match'

/** How the argument is explained in each command's help. */
export const accountArgument = 'an ID or a username; id:... or name:... where it could be either'

/** @throws CommandError if there is no such account, or if the argument is the id of one and the name of another */
export const findAccount = async (reference: string): Promise<UserRow> =>
  onlyMatch(reference, await findAccounts(reference), { kind: 'account', name: 'username' })
