import { type Command, Option } from 'commander'
import { createInvitations, longestInvitationSeconds } from '@/lib/auth/account/invitations'
import { duration } from '@/lib/settings/fields/duration'
import { wholeNumber } from '@/lib/settings/fields/whole-number'
import { settings } from '@/lib/settings/settings'
import { collect, reader } from '../command/options'
import { type CommonOptions, perform } from '../command/perform'
import { addCommand } from '../command/program'
import { findGroup } from '../groups/find-group'

interface Options extends CommonOptions {
  count: number
  /** Milliseconds */
  expires: number
  /** That the accounts join */
  group: string[]
}

const maxCount = 10_000

const readInvitationCount = reader(wholeNumber(1, 1, maxCount))

const readLifetime = reader(
  duration('7d')
    .catch(0) // For one sentence, whatever is wrong.
    .refine(
      (milliseconds) => milliseconds > 0 && milliseconds <= longestInvitationSeconds * 1000,
      'must be a number and a unit (s, m, h, d or w) of at most 90 days, such as 7d',
    ),
)

export function addInvite(program: Command): void {
  addCommand(program, 'invite', 'prints links for signing up, each for one account')
    .option('--count <n>', `how many, at most ${maxCount}`, readInvitationCount, 1)
    .addOption(
      new Option('--expires <duration>', 'how long they are valid, at most 90d')
        .argParser(readLifetime)
        .default(readLifetime('7d'), '7d'),
    )
    .option('--group <group>', 'a group that the account joins; repeatable', collect, [])
    .action(perform(invite))
}

async function invite({ count, expires, group: groups }: Options) {
  const { origins, signUp } = settings()
  for (const name of groups) await findGroup(name)
  const invitations = (await createInvitations(count, expires / 1000, groups)).map(({ token, exp }) => ({
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
