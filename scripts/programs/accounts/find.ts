import type { UserRow } from '@/lib/auth/accounts/account'
import { findAccounts } from '@/lib/auth/operator/accounts'
import { type GroupMembers, showGroup } from '@/lib/auth/operator/groups'
import type { AppWithSecrets } from '@/lib/openid/apps/app'
import { findApps } from '@/lib/openid/apps/manage'
import { CommandError, onlyMatch } from './command'

/** How the argument is explained in each command's help. */
export const accountArgument = 'an ID or a username; id:... or name:... where it could be either'

/** @throws CommandError if there is no such account, or if the argument is the id of one and the name of another */
export const findAccount = async (reference: string): Promise<UserRow> =>
  onlyMatch(reference, await findAccounts(reference), { kind: 'account', name: 'username' })

/** How the argument is explained in each command's help. */
export const groupArgument = 'the name of a group: 1 to 64 of a-z, 0-9 and . _ -'

/** @throws CommandError if there is no such group */
export async function findGroup(name: string): Promise<GroupMembers> {
  const group = await showGroup(name)
  if (!group) throw noSuchGroup(name)
  return group
}

export const noSuchGroup = (name: string) =>
  new CommandError(`There is no group ${JSON.stringify(name)}. "group add" creates one.`)

/** How the argument is explained in each command's help. */
export const appArgument = 'an ID or a name; id:... or name:... where it could be either'

/** @throws CommandError if there is no such app, or if the argument is the id of one and the name of another */
export const findApp = async (reference: string): Promise<AppWithSecrets> =>
  onlyMatch(reference, await findApps(reference), { kind: 'app', name: 'name' })
