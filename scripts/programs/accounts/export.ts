import type { Command } from 'commander'
import { ApiError } from '@/lib/api/errors'
import { exportAccount } from '@/lib/auth/operator/export-account'
import { accountArgument, findAccount } from './find-account'
import { addCommand, perform } from './frame'

export function addExport(program: Command): void {
  addCommand(program, 'export', 'prints all that is kept of a person, as JSON')
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const kept = await exportAccount(await findAccount(reference))
        if (!kept) throw new ApiError('not_found')
        return { json: kept, text: JSON.stringify(kept, null, 2) }
      }),
    )
}
