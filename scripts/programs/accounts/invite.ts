import { type Command, InvalidArgumentError, Option } from 'commander'
import { createInvitations, longestInvitationSeconds } from '@/lib/auth/account/invitations'
import { duration } from '@/lib/settings/duration'
import { settings } from '@/lib/settings/settings'
import { addCommand, type CommonOptions, perform } from './frame'
import { requireGroup } from './group'

interface Options extends CommonOptions {
  count: number
  /** Seconds */
  expires: number
  /** That the accounts join */
  group: string[]
}

const maxCount = 10_000

export function addInvite(program: Command): void {
  addCommand(program, 'invite', 'prints addresses for signing up, each good for one account')
    .option('--count <n>', `how many, at most ${maxCount}`, parseCount, 1)
    .addOption(
      new Option('--expires <duration>', 'how long they are good, at most 90d')
        .argParser(parseLifetime)
        .default(parseLifetime('7d'), '7d'),
    )
    .option(
      '--group <group>',
      'a group that the account joins; can be repeated',
      (name, names) => [...names, name],
      [] as string[],
    )
    .action(perform(invite))
}

function parseCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > maxCount) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxCount}.`)
  return count
}

function parseLifetime(text: string): number {
  const seconds = (duration('7d').safeParse(text).data ?? 0) / 1000
  if (seconds < 1 || seconds > longestInvitationSeconds)
    throw new InvalidArgumentError('It must be a number and a unit (s, m, h, d or w) of at most 90 days, such as 7d.')
  return seconds
}

async function invite({ count, expires, group: groups }: Options) {
  const { origins, signUp } = settings()
  for (const name of groups) await requireGroup(name)
  const invitations = (await createInvitations(count, expires, groups)).map(({ token, exp }) => ({
    // In the fragment, which browsers send to no server, so that no proxy logs it.
    url: `${origins[0]}/signup#${new URLSearchParams({ invitation: token })}`,
    expiresAt: new Date(exp * 1000).toISOString(),
  }))
  if (signUp === 'closed' || (signUp === 'open' && groups.length === 0))
    process.stderr.write(
      `SIGN_UP is ${signUp} here; invitations are of use with SIGN_UP=invited, and with SIGN_UP=open if they have a group.\n`,
    )
  return { json: { invitations }, text: invitations.map(({ url }) => url).join('\n') }
}
