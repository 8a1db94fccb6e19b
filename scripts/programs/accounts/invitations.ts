import { type Command, InvalidArgumentError, Option } from 'commander'
import { isApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { type ListedInvitation, lifetimeOfInvitation } from '@/lib/api/schemas'
import { inviteAdministrator } from '@/lib/auth/operator/invitations'
import { wholeNumber } from '@/lib/settings/fields'
import { settings } from '@/lib/settings/settings'
import { addCommand, collect, perform, readCount, reader } from './command'
import { farServer } from './far'
import { operate, operator } from './operate'
import { CommandError, table } from './terminal'

interface Options {
  count: number
  expires: string
  /** The groups that the new accounts join */
  group: string[]
  note?: string
  email?: string
  admin?: true
}

export function addInvite(program: Command): void {
  const invite = program.command('invite').description('makes, lists and withdraws links for signing up')
  addCommand(invite, 'add', 'prints links for signing up, each for one account', { isDefault: true })
    .option('--count <n>', `how many, at most ${limits.invitations}`, reader(wholeNumber(1, 1, limits.invitations)), 1)
    .addOption(
      new Option('--expires <duration>', 'how long they are valid, at most 90d').argParser(checkLifetime).default('7d'),
    )
    .option('--group <group>', 'a group that the account joins; repeatable', collect, [])
    .option('--email <address>', 'who also gets the link by letter; needs SMTP_URL')
    .option('--note <text>', 'who it is for: operators see it, the invited do not')
    .addOption(
      new Option(
        '--admin',
        'one link, for an hour, for an administrator, while no administrator can sign in',
      ).conflicts(['count', 'expires', 'group', 'note', 'email']),
    )
    .action(perform(add, { fromAfar: 'changes' }))
  addCommand(invite, 'list', 'lists the invitations that can still be used, newest first')
    .option('--limit <n>', 'how many at most, 200 at once', readCount)
    .option('--after <after>', 'the page after the one that --json gave this as "after"')
    .action(
      perform(
        async (page: { limit?: number; after?: string }) => {
          const listed = await operate('/invitations', { limit: page.limit, after: page.after })
          return { json: listed, text: asText(listed.invitations) }
        },
        { fromAfar: 'reads' },
      ),
    )
  addCommand(invite, 'withdraw', 'withdraws an invitation, which nobody can use any more')
    .argument('<id>', 'the ID that "invite list" shows')
    .action(
      perform(
        async (_, id: string) => {
          await operate('/invitations/withdraw', { id }).catch((error: unknown) => {
            if (!isApiError(error) || error.code !== 'not_found') throw error
            throw new CommandError(
              `There is no invitation ${JSON.stringify(id)}. It may have been used; "invite list" has those that can be.`,
            )
          })
          return { json: { id }, text: `The invitation ${id} is withdrawn.` }
        },
        { fromAfar: 'changes' },
      ),
    )
}

/** A wrong one is typed wrong, before anything is asked. */
function checkLifetime(text: string): string {
  if (lifetimeOfInvitation.safeParse(text).success) return text
  throw new InvalidArgumentError('It must be a number and a unit (s, m, h, d or w) of at most 90 days, such as 7d.')
}

async function add({ count, expires, group: groups, note, email, admin }: Options) {
  if (admin) return addAdministrator()
  const { invitations } = await operate('/invitations/add', { count, expires, groups, note, email })
  // From afar nobody knows it.
  const signUp = farServer() ? 'invited' : settings().signUp
  if (signUp === 'closed' || (signUp === 'open' && groups.length === 0))
    process.stderr.write(
      `SIGN_UP is ${signUp} here; invitations are of use with SIGN_UP=invited, and with SIGN_UP=open if they have a group.\n`,
    )
  return { json: { invitations }, text: invitations.map(({ url }) => url).join('\n') }
}

async function addAdministrator() {
  if (farServer()) throw new CommandError('invite --admin needs the database: run it beside the server.', 2)
  const invitation = await inviteAdministrator(operator)
  if (!invitation)
    throw new CommandError(
      'An administrator can sign in. They add others: accounts group add admins <account>, or the API.',
    )
  return { json: { invitations: [invitation] }, text: invitation.url }
}

function asText(invitations: ListedInvitation[]): string {
  if (invitations.length === 0) return 'No invitation can be used.'
  return table([
    ['ID', 'CREATED', 'EXPIRES', 'BY', 'GROUPS', 'NOTE'],
    ...invitations.map(({ id, createdAt, expiresAt, by, groups, note }) => [
      id,
      createdAt,
      expiresAt,
      by ?? 'a command',
      groups.join(' '),
      note ?? '',
    ]),
  ])
}
