import type { Command } from 'commander'
import { administrators } from '@/lib/api/names'
import type { ListedAccount, ShownAccount } from '@/lib/api/schemas'
import { publicUser } from '@/lib/auth/account'
import { signOutAllAccounts } from '@/lib/auth/operator/change-account'
import type { Stats } from '@/lib/auth/operator/stats'
import { counted } from '../../support/command-line.mjs'
import { addCommand, type CommonOptions, perform, readCount, readDuration } from './command'
import { farServer } from './far'
import { accountArgument, findAccount, findIfThere, operate, operator, pagesOf } from './operate'
import { madeByAdministrators } from './operators'
import { CommandError, confirm, table } from './terminal'

export function addList(program: Command): void {
  addCommand(program, 'list', 'lists accounts, newest first')
    .option('--created-since <duration>', 'only accounts created within this time, such as 7d', readDuration)
    .option('--limit <n>', 'how many at most', readCount)
    .option(
      '--query <text>',
      'only those whose username, e-mail address or display name begins with it, or whose ID it is',
    )
    .option('--group <group>', 'only members of this group')
    .option('--disabled', 'only disabled ones')
    .option('--without-passkey', 'only those without a passkey')
    .option(
      '--never-back',
      'only those to which nobody has come back in the last 90 days, after the day of the sign-up',
    )
    .action(
      perform(
        async ({ createdSince, limit, query, group, disabled, withoutPasskey, neverBack }: ListOptions) => {
          const since = createdSince === undefined ? '' : new Date(Date.now() - createdSince).toISOString()
          const asked = {
            query,
            group,
            disabled,
            hasPasskey: withoutPasskey && false,
            cameBack: neverBack && false,
          }
          const listed = await list(asked, { since, limit })
          return { json: listed, text: listAsText(listed.accounts) }
        },
        { fromAfar: 'reads' },
      ),
    )
}

interface ListOptions {
  createdSince?: number
  limit?: number
  query?: string
  group?: string
  disabled?: true
  withoutPasskey?: true
  neverBack?: true
}

/** Page by page, until one is older than `since`. */
async function list(
  asked: object,
  { since, limit = Number.POSITIVE_INFINITY }: { since: string; limit?: number | undefined },
) {
  const accounts: ListedAccount[] = []
  const pages = pagesOf(({ after, limit: most }) =>
    operate('/accounts', { ...asked, after, limit: Math.min(limit - accounts.length, most) }),
  )
  for await (const page of pages) {
    accounts.push(...page.accounts.filter(({ createdAt }) => createdAt >= since))
    if (page.accounts.some(({ createdAt }) => createdAt < since)) break
    if (accounts.length >= limit) return { accounts, after: page.after }
  }
  return { accounts, after: null }
}

function listAsText(accounts: ListedAccount[]): string {
  return table([['CREATED', 'USERNAME', 'ID', 'PASSKEYS', 'PASSWORD', '', 'NAME'], ...accounts.map(rowOf)])
}

const rowOf = ({ id, username, displayName, createdAt, passkeys, hasPassword, disabled }: ListedAccount) => [
  createdAt,
  username,
  id,
  `${passkeys.length}`,
  hasPassword ? 'yes' : 'no',
  disabled ? 'disabled' : '',
  displayName ?? '',
]

export function addShow(program: Command): void {
  addCommand(program, 'show', 'shows an account, its passkeys, sessions and latest events')
    .argument('<account>', accountArgument)
    .action(
      perform(
        async (_, reference: string) => {
          const account = await findAccount(reference)
          return { json: account, text: asText(account) }
        },
        { fromAfar: 'reads' },
      ),
    )
}

function asText(account: ShownAccount): string {
  const { id, username, createdAt, disabled, hasPassword, passwordSetAt, passkeys, sessions, events } = account
  const { displayName, email, groups, recoveryCodesLeft, recoveryCodesMadeAt } = account
  const facts = [
    `${username}${disabled ? ' (disabled)' : ''}`,
    table([
      ['ID', id],
      ['name', displayName ?? 'none'],
      ['created', createdAt],
      ['email', email ?? 'none'],
      ['groups', groups.join(', ') || 'none'],
      ['password', `${hasPassword ? 'yes' : 'no'}${since('set', passwordSetAt)}`],
      ['recovery codes', `${recoveryCodesLeft}${since('created', recoveryCodesMadeAt)}`],
    ]),
  ]
  const lists: [string, string[]][] = [
    [
      'Passkeys',
      passkeys.map(({ id, name, createdAt, lastUsedAt }) => `${createdAt}  ${name}, ${used(lastUsedAt)}, ${id}`),
    ],
    [
      'Sessions',
      sessions.map(
        ({ at, method, browser, lastActiveAt }) =>
          `${at}  ${method}, ${browser ?? 'unknown browser'}, last active ${lastActiveAt}`,
      ),
    ],
    [
      'Events',
      events.map(
        ({ at, type, method, count = 1 }) =>
          `${at}  ${[type, method].filter(Boolean).join(', ')}${count > 1 ? `, ${count} times` : ''}`,
      ),
    ],
  ]
  const sections = lists.flatMap(([title, lines]) => [
    '',
    `${title}: ${lines.length}`,
    ...lines.map((line) => `  ${line}`),
  ])
  return [...facts, ...sections].join('\n')
}

const since = (done: string, at: string | null) => (at === null ? '' : `, ${done} ${at}`)

const used = (at: string | null) => (at === null ? 'never used' : `last used ${at}`)

export function addRename(program: Command): void {
  addCommand(program, 'rename', 'changes the username of an account')
    .argument('<account>', accountArgument)
    .argument('<name>', 'the new username')
    .action(
      perform(
        async (_, reference: string, name: string) => {
          const account = await findAccount(reference)
          const { user } = await operate('/accounts/rename', { id: account.id, username: name })
          return { json: { user }, text: `${account.username} is now ${user.username}.` }
        },
        { fromAfar: 'changes' },
      ),
    )
}

export function addName(program: Command): void {
  const command = addCommand(program, 'name', 'changes the display name of an account')
  command
    .argument('<account>', accountArgument)
    .argument('[name]', 'the new display name')
    .option('--remove', 'remove the present one')
    .hook('preAction', () => requireNewOrRemove(command, 'display name'))
    .action(
      perform(
        async (_: CommonOptions, reference: string, name: string | undefined) => {
          const { id } = await findAccount(reference)
          const { user } = await operate('/accounts/name', { id, displayName: name ?? null })
          const { username, displayName } = user
          const text =
            displayName === null ? `${username} has no display name.` : `${username} is called ${displayName}.`
          return { json: { user }, text }
        },
        { fromAfar: 'changes' },
      ),
    )
}

/** A command that sets something of an account takes the new value or `--remove`. @param what such as `display name` */
function requireNewOrRemove(command: Command, what: string): void {
  const isGiven = command.args.length === 2
  const { remove } = command.opts()
  if (isGiven && remove) command.error(`error: --remove takes no ${what}`)
  if (!isGiven && !remove) command.error(`error: name the new ${what}, or add --remove`)
}

export function addEmail(program: Command): void {
  const command = addCommand(program, 'email', "sets an account's email address, as one that you have verified")
  command
    .argument('<account>', accountArgument)
    .argument('[address]', 'the new email address')
    .option('--remove', 'remove the present one')
    .hook('preAction', () => requireNewOrRemove(command, 'email address'))
    .action(
      perform(
        async (_: CommonOptions, reference: string, address: string | undefined) => {
          const account = await findAccount(reference)
          const { user } = await operate('/accounts/email', { id: account.id, email: address ?? null })
          const { email } = await operate('/accounts/show', { id: user.id })
          const text = email === null ? `${user.username} has no email address.` : `${user.username} has ${email}.`
          return { json: { user }, text }
        },
        { fromAfar: 'changes' },
      ),
    )
}

export function addDisable(program: Command): void {
  addCommand(program, 'disable', 'signs an account out everywhere, and keeps it from signing in')
    .argument('<account>', accountArgument)
    .action(change('/accounts/disable', (name) => `${name} is disabled, and all its sessions have ended.`))
}

export function addEnable(program: Command): void {
  addCommand(program, 'enable', 'lets a disabled account sign in again; its sessions stay ended')
    .argument('<account>', accountArgument)
    .action(change('/accounts/enable', (name) => `${name} can sign in again.`))
}

type Change = '/accounts/disable' | '/accounts/enable' | '/accounts/sign-out'

const change = (path: Change, sentence: (name: string) => string) =>
  perform(async (_, reference: string) => changeOne(path, reference, sentence), { fromAfar: 'changes' })

async function changeOne(path: Change, reference: string, sentence: (name: string) => string) {
  const { id, groups } = await findAccount(reference)
  const made = path === '/accounts/disable' && groups.includes(administrators) ? await madeByAdministrators([id]) : null
  const { user } = await operate(path, { id })
  if (made !== null) process.stderr.write(`${made}\n`)
  return { json: { user }, text: sentence(user.username) }
}

export function addSignOut(program: Command): void {
  const command = addCommand(program, 'sign-out', 'ends all sessions of an account, or of all accounts')
  command
    .argument('[account]', accountArgument)
    .option('--all', 'of all accounts')
    .hook('preAction', () => {
      if (command.args.length === 1 && command.opts().all)
        command.error('error: name an account or add --all, not both')
      if (command.args.length === 0 && !command.opts().all) command.error('error: name an account, or add --all')
    })
    .action(
      perform(
        async (options, reference: string | undefined) => {
          if (reference === undefined) return signOutAll(options)
          return changeOne('/accounts/sign-out', reference, (name) => `All sessions of ${name} have ended.`)
        },
        { fromAfar: 'changes' },
      ),
    )
}

/** @throws CommandError if `--all` is a username, too: a script may have meant that one */
async function signOutAll(options: CommonOptions) {
  if (farServer()) throw new CommandError('`sign-out --all` needs the database. Run it on the server.', 2)
  const namesake = await findIfThere({ username: '--all' })
  if (namesake)
    throw new CommandError(
      `--all is the username of the account ${namesake.id}, too. Say id:${namesake.id}, or rename it first.`,
    )
  await confirm('Sign out everybody?', options)
  const count = await signOutAllAccounts(operator)
  return { json: { count }, text: `All sessions of ${counted(count, 'account')} have ended.` }
}

export function addRecoveryCode(program: Command): void {
  addCommand(
    program,
    'recovery-code',
    'prints a recovery code, once, for somebody who has lost every way to sign in; it is valid for 72 hours',
  )
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const { id } = await findAccount(reference)
        const made = await operate('/accounts/recovery-code', { id })
        return { json: made, text: `${made.code}\nIt signs in once, until ${made.expiresAt}.` }
      }),
    )
}

export function addRemovePasskey(program: Command): void {
  addCommand(program, 'remove-passkey', 'removes a passkey of an account, and ends the sessions that it opened')
    .argument('<account>', accountArgument)
    .argument('<passkey>', 'the ID that "show" prints')
    .action(
      perform(
        async (_, reference: string, passkey: string) => {
          const { id, username, passkeys } = await findAccount(reference)
          const found = passkeys.find((one) => one.id === passkey)
          if (!found)
            throw new CommandError(`${username} has no passkey ${JSON.stringify(passkey)}. "show" lists them.`)
          const { user } = await operate('/accounts/remove-passkey', { id, passkey })
          return { json: { user }, text: `${username} has the passkey ${found.name} no longer.` }
        },
        { fromAfar: 'changes' },
      ),
    )
}

export function addDelete(program: Command): void {
  addCommand(program, 'delete', 'deletes an account and all that it owns')
    .argument('<account>', accountArgument)
    .action(
      perform(
        async (options, reference: string) => {
          const account = await findAccount(reference)
          const { id, username } = account
          await confirm(`Delete the account ${username} (${id}) and all that it owns?`, options)
          await operate('/accounts/delete', { id })
          return { json: { user: publicUser(account) }, text: `${username} is deleted.` }
        },
        { fromAfar: 'changes' },
      ),
    )
}

export function addStats(program: Command): void {
  addCommand(
    program,
    'stats',
    'counts accounts, ways to sign in, and the sign-ups and sign-ins of the last 30 days',
  ).action(
    perform(
      async () => {
        const stats = await operate('/stats', {})
        return { json: stats, text: statsAsText(stats) }
      },
      { fromAfar: 'reads' },
    ),
  )
}

const chartWidth = 40

function statsAsText({ accounts, methods, days }: Stats): string {
  const most = Math.max(1, ...days.map(({ signIns }) => signIns))
  const rows = days.map(({ day, signUps, signIns }) => [
    day,
    `${signUps}`,
    `${signIns}`,
    '#'.repeat(Math.ceil((signIns / most) * chartWidth)),
  ])
  const totals = table([
    ['Accounts', `${accounts}`],
    ['  with a password', `${methods.pwd}`],
    ['  with a passkey', `${methods.passkey}`],
    ['  with recovery codes', `${methods.recovery}`],
  ])
  return `${totals}\n\n${table([['DAY (UTC)', 'SIGN-UPS', 'SIGN-INS', ''], ...rows])}`
}
