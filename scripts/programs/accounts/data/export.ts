import type { Command } from 'commander'
import { ApiError } from '@/lib/api/errors'
import { exportAccount } from '@/lib/auth/operator/export-account'
import { appsOf } from '@/lib/openid/grants/granted-apps'
import { accountArgument, findAccount } from '../account/find-account'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'

export function addExport(program: Command): void {
  addCommand(program, 'export', 'prints all data of an account, as JSON')
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const account = await findAccount(reference)
        const exported = await exportAccount(account)
        if (!exported) throw new ApiError('not_found')
        const kept = { ...exported, apps: await appsOf(account.id) }
        return { json: kept, text: JSON.stringify(kept, null, 2) }
      }),
    )
}
