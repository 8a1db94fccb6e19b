import type { Command } from 'commander'
import { publicUser, type UserRow } from '@/lib/auth/model/accounts'
import { disableAccount, enableAccount } from '@/lib/auth/operator/disable-account'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addDisable(program: Command): void {
  addCommand(program, 'disable', 'signs an account out everywhere, and keeps it from signing in')
    .argument('<account>', accountArgument)
    .action(change(disableAccount, (name) => `${name} is disabled, and all its sessions have ended.`))
}

export function addEnable(program: Command): void {
  addCommand(program, 'enable', 'lets a disabled account sign in again; its sessions stay ended')
    .argument('<account>', accountArgument)
    .action(change(enableAccount, (name) => `${name} can sign in again.`))
}

const change = (act: (account: UserRow) => Promise<void>, sentence: (name: string) => string) =>
  perform(async (_, reference: string) => {
    const account = await findAccount(reference)
    await act(account)
    return { json: { user: publicUser(account) }, text: sentence(account.username) }
  })
