import type { UserRow } from '@/lib/auth/model/accounts'
import { findAccounts } from '@/lib/auth/operator/find-accounts'
import { CommandError } from './frame'

/** How the argument is explained in each command's help. */
export const accountArgument = 'an ID or a username; id:... or name:... where it could be either'

/** @throws CommandError if there is no such account, or if the argument is the id of one and the name of another */
export async function findAccount(reference: string): Promise<UserRow> {
  const found = await findAccounts(reference)
  const [account, other] = found
  if (!account) throw noSuchAccount(reference)
  if (!other) return account
  const [byId, byName] = account.id === reference ? [account, other] : [other, account]
  throw new CommandError(
    `${reference} is the ID of the account ${byId.username} and the username of the account ${byName.id}. Say id:${reference} or name:${reference}.`,
  )
}

function noSuchAccount(reference: string): CommandError {
  const sentence = `There is no account ${JSON.stringify(reference)}.`
  return new CommandError(sentence, reference.startsWith('-') ? 2 : 1)
}
