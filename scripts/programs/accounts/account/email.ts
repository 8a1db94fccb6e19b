import type { Command } from 'commander'
import { publicUser } from '@/lib/auth/model/accounts'
import { setEmail } from '@/lib/auth/operator/set-email'
import { type CommonOptions, perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addEmail(program: Command): void {
  const command = addCommand(program, 'email', "sets an account's email address, as one that you have verified")
  command
    .argument('<account>', accountArgument)
    .argument('[address]', 'the new email address')
    .option('--remove', 'remove the present one')
    .hook('preAction', () => {
      const isNamed = command.args.length === 2
      if (isNamed && command.opts().remove) command.error('error: --remove takes no email address')
      if (!isNamed && !command.opts().remove) command.error('error: name the new email address, or add --remove')
    })
    .action(
      perform(async (_: CommonOptions, reference: string, address: string | undefined) => {
        const account = await findAccount(reference)
        const email = await setEmail(account, address ?? null)
        const text = email === null ? `${account.username} has no email address.` : `${account.username} has ${email}.`
        return { json: { user: publicUser(account) }, text }
      }),
    )
}
