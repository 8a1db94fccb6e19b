import type { Command } from 'commander'
import { publicUser } from '@/lib/auth/model/accounts'
import { renameAsOperator } from '@/lib/auth/operator/owner-changes'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addRename(program: Command): void {
  addCommand(program, 'rename', 'changes the username of an account')
    .argument('<account>', accountArgument)
    .argument('<name>', 'the new username')
    .action(
      perform(async (_, reference: string, name: string) => {
        const account = await findAccount(reference)
        const renamed = await renameAsOperator(account, name)
        return { json: { user: publicUser(renamed) }, text: `${account.username} is now ${renamed.username}.` }
      }),
    )
}
