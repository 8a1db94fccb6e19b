import type { Command } from 'commander'
import { publicUser } from '@/lib/auth/model/accounts'
import { deleteAsOperator } from '@/lib/auth/operator/owner-changes'
import { confirm } from '../command/confirm'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addDelete(program: Command): void {
  addCommand(program, 'delete', 'deletes an account and all that it owns')
    .argument('<account>', accountArgument)
    .action(
      perform(async (options, reference: string) => {
        const account = await findAccount(reference)
        const { id, username } = account
        await confirm(`Delete the account ${username} (${id}) and all that it owns?`, options)
        await deleteAsOperator(account)
        return { json: { user: publicUser(account) }, text: `${username} is deleted.` }
      }),
    )
}
