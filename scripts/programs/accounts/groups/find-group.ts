import { type GroupMembers, showGroup } from '@/lib/auth/operator/manage-groups'
import { CommandError } from '../command/command-error'

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
