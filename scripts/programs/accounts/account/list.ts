import type { Command } from 'commander'
import type { ListedAccount } from '@/lib/auth/operator/describe-accounts'
import { listAccounts } from '@/lib/auth/operator/list-accounts'
import { readCount, readDuration } from '../command/options'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { table } from '../command/table'

export function addList(program: Command): void {
  addCommand(program, 'list', 'lists accounts, newest first')
    .option('--created-since <duration>', 'only accounts created within this time, such as 7d', readDuration)
    .option('--limit <n>', 'how many at most', readCount)
    .action(
      perform(async ({ createdSince, limit }: { createdSince?: number; limit?: number }) => {
        const since = createdSince === undefined ? undefined : new Date(Date.now() - createdSince)
        const accounts = await listAccounts({ createdSince: since, limit })
        return { json: { accounts }, text: asText(accounts) }
      }),
    )
}

function asText(accounts: ListedAccount[]): string {
  return table([['CREATED', 'USERNAME', 'ID', 'PASSKEYS', 'PASSWORD', ''], ...accounts.map(rowOf)])
}

const rowOf = ({ id, username, createdAt, passkeys, hasPassword, disabled }: ListedAccount) => [
  createdAt,
  username,
  id,
  `${passkeys.length}`,
  hasPassword ? 'yes' : 'no',
  disabled ? 'disabled' : '',
]
