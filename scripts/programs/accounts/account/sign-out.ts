import type { Command } from 'commander'
import { publicUser } from '@/lib/auth/model/accounts'
import { findAccounts } from '@/lib/auth/operator/find-accounts'
import { signOutAccount, signOutAllAccounts } from '@/lib/auth/operator/sign-out-accounts'
import { counted } from '../../../command-line/counted'
import { CommandError } from '../command/command-error'
import { confirm } from '../command/confirm'
import { type CommonOptions, perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

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
      perform(async (options, reference: string | undefined) => {
        if (reference === undefined) return signOutAll(options)
        const account = await findAccount(reference)
        await signOutAccount(account)
        return { json: { user: publicUser(account) }, text: `All sessions of ${account.username} have ended.` }
      }),
    )
}

/** @throws CommandError if `--all` is a username, too: a script may have meant that one */
async function signOutAll(options: CommonOptions) {
  const [namesake] = await findAccounts('name:--all')
  if (namesake)
    throw new CommandError(
      `--all is the username of the account ${namesake.id}, too. Say id:${namesake.id}, or rename it first.`,
    )
  await confirm('Sign out everybody?', options)
  const count = await signOutAllAccounts()
  return { json: { count }, text: `All sessions of ${counted(count, 'account')} have ended.` }
}
