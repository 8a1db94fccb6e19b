import { isApiError } from '@/lib/api/errors'
import type { RegisteredApp, ShownAccount } from '@/lib/api/schemas'
import { readReference } from '@/lib/auth/operator/accounts'
import type { GroupMembers } from '@/lib/auth/operator/groups'
import { CommandError, onlyMatch } from './command'
import { operate, unlessThere } from './operate'

/** How the argument is explained in each command's help. */
export const accountArgument = 'an ID or a username; id:... or name:... where it could be either'

/** @throws CommandError if there is no such account, or if the argument is the id of one and the name of another */
export async function findAccount(reference: string): Promise<ShownAccount> {
  const { kind, given } = readReference(reference)
  const byId = kind === 'name' ? null : await findIfThere({ id: given })
  const byName = kind === 'id' ? null : await findIfThere({ username: given })
  const found = [byId, byName?.id === byId?.id ? null : byName].filter((account) => account !== null)
  return onlyMatch(reference, found, { kind: 'account', name: 'username' })
}

/** Null if there is none, also for what no account can be called. */
export const findIfThere = (named: { id: string } | { username: string }) =>
  operate('/accounts/show', named).catch((error: unknown) => {
    if (isApiError(error) && ['not_found', 'invalid_request'].includes(error.code)) return null
    throw error
  })

/** How the argument is explained in each command's help. */
export const groupArgument = 'the name of a group: 1 to 64 of a-z, 0-9 and . _ -'

/** @throws CommandError if there is no such group */
export async function findGroup(name: string): Promise<GroupMembers> {
  return operate('/groups/show', { group: name }).catch(unlessThere(() => noSuchGroup(name)))
}

export const noSuchGroup = (name: string) =>
  new CommandError(`There is no group ${JSON.stringify(name)}. "group add" creates one.`)

/** How the argument is explained in each command's help. */
export const appArgument = 'an ID or a name; id:... or name:... where it could be either'

/** @throws CommandError if there is no such app, or if the argument is the id of one and the name of another */
export async function findApp(reference: string): Promise<RegisteredApp> {
  const { kind, given } = readReference(reference)
  const { apps } = await operate('/apps', {})
  const isId = ({ id }: RegisteredApp) => kind !== 'name' && id === given
  // A name may contain a colon.
  const isName = ({ name }: RegisteredApp) => name === reference || (kind !== 'id' && name === given)
  const found = apps.filter((app) => isId(app) || isName(app))
  return onlyMatch(reference, found, { kind: 'app', name: 'name' })
}
