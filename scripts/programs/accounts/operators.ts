import type { Command } from 'commander'
import type { LogEntry } from '@/lib/api/schemas'
import { addCommand, perform, readCount, table } from './command'
import { findIfThere } from './find'
import { operate } from './operate'

interface LogOptions {
  account?: string
  by?: string
  limit?: number
  after?: string
}

export function addLog(program: Command): void {
  addCommand(program, 'log', 'shows what operators did in the last 400 days, newest first')
    .option('--account <account>', 'only about this account: its ID or username')
    .option('--by <operator>', "only of this operator: an administrator's ID, or key: and the name of a key")
    .option('--limit <n>', 'how many at most, 200 at once', readCount)
    .option('--after <after>', 'the page after the one that --json gave this as "after"')
    .action(
      perform(async ({ account, by, limit, after }: LogOptions) => {
        const found = account === undefined ? null : await findIfThere({ username: account })
        // It may be the id of an account that is deleted.
        const log = await operate('/log', { by, limit, after, account: found?.id ?? account })
        return { json: log, text: asText(log.log) }
      }),
    )
}

const asText = (log: LogEntry[]) =>
  table([
    ['AT', 'BY', 'WHAT', 'ABOUT'],
    ...log.map(({ at, by, what, account, app, group }) => [
      at,
      by ?? 'a command',
      what,
      [account, app, group].filter((one) => one !== null).join(' '),
    ]),
  ])
