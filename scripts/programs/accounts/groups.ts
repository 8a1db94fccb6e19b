import type { Command } from 'commander'
import { administrators } from '@/lib/api/names'
import type { GroupMembers } from '@/lib/auth/operator/groups'
import { counted } from '../../support/command-line.mjs'
import { addCommand, perform } from './command'
import { accountArgument, findAccount, findGroup, groupArgument, noSuchGroup, operate, unlessThere } from './operate'
import { madeByAdministrators } from './operators'
import { confirm, table } from './terminal'

export function addGroup(program: Command): void {
  const group = program.command('group').description('manages groups, which apps get with a sign-in')
  addCommand(group, 'add', 'adds accounts to a group, and creates the group if there is none')
    .argument('<group>', groupArgument)
    .argument('[account...]', accountArgument)
    .action(
      perform(
        async (_, name: string, references: string[]) => {
          // `--help` was meant as an option, unless there is such a group.
          if (name.startsWith('--')) await findGroup(name)
          return answer(await operate('/groups/add', { group: name, accounts: await findAll(references) }))
        },
        { fromAfar: 'changes' },
      ),
    )
  addCommand(group, 'list', 'lists the groups').action(
    perform(
      async () => {
        const { groups } = await operate('/groups', {})
        const rows = groups.map(({ name, members }) => [name, `${members}`])
        return { json: { groups }, text: table([['GROUP', 'MEMBERS'], ...rows]) }
      },
      { fromAfar: 'reads' },
    ),
  )
  addCommand(group, 'show', 'shows who is in a group')
    .argument('<group>', groupArgument)
    .action(perform(async (_, name: string) => answer(await findGroup(name)), { fromAfar: 'reads' }))
  addCommand(group, 'remove', 'removes accounts from a group')
    .argument('<group>', groupArgument)
    .argument('<account...>', accountArgument)
    .action(
      perform(
        async (_, name: string, references: string[]) => {
          const accounts = await findAll(references)
          await findGroup(name)
          const made = name === administrators ? await madeByAdministrators(accounts) : null
          const left = await operate('/groups/remove', { group: name, accounts })
          if (made !== null) process.stderr.write(`${made}\n`)
          return answer(left)
        },
        { fromAfar: 'changes' },
      ),
    )
  addCommand(group, 'delete', 'deletes a group; its members stay')
    .argument('<group>', groupArgument)
    .action(
      perform(
        async (options, name: string) => {
          const { members } = await findGroup(name)
          await confirm(`Delete the group ${name}, which has ${counted(members.length, 'member')}?`, options)
          const { group } = await operate('/groups/delete', { group: name }).catch(unlessThere(() => noSuchGroup(name)))
          return { json: { group }, text: `The group ${group} is deleted.` }
        },
        { fromAfar: 'changes' },
      ),
    )
}

/** All or nothing: an unknown account changes nothing. */
async function findAll(references: string[]): Promise<string[]> {
  const ids = []
  for (const reference of references) ids.push((await findAccount(reference)).id)
  return ids
}

const answer = (group: GroupMembers) => ({
  json: group,
  text: [`${group.group}: ${group.members.length}`, ...group.members.map((name) => `  ${name}`)].join('\n'),
})
