import type { Command } from 'commander'
import { ApiError } from '@/lib/api/errors'
import { type ShownAccount, showAccount } from '@/lib/auth/operator/describe-accounts'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { table } from '../command/table'
import { accountArgument, findAccount } from './find-account'

export function addShow(program: Command): void {
  addCommand(program, 'show', 'shows an account, its passkeys, sessions and latest events')
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const account = await showAccount((await findAccount(reference)).id)
        if (!account) throw new ApiError('not_found')
        return { json: account, text: asText(account) }
      }),
    )
}

function asText(account: ShownAccount): string {
  const { id, username, createdAt, disabled, hasPassword, passwordSetAt, passkeys, sessions, events } = account
  const { email, groups, recoveryCodesLeft, recoveryCodesMadeAt } = account
  const facts = [
    `${username}${disabled ? ' (disabled)' : ''}`,
    table([
      ['ID', id],
      ['created', createdAt],
      ['email', email ?? 'none'],
      ['groups', groups.join(', ') || 'none'],
      ['password', `${hasPassword ? 'yes' : 'no'}${since('set', passwordSetAt)}`],
      ['recovery codes', `${recoveryCodesLeft}${since('created', recoveryCodesMadeAt)}`],
    ]),
  ]
  const lists: [string, string[]][] = [
    ['Passkeys', passkeys.map(({ name, createdAt, lastUsedAt }) => `${createdAt}  ${name}, ${used(lastUsedAt)}`)],
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
