import type { Command } from 'commander'
import { publicUser, type UserRow } from '@/lib/auth/model/accounts'
import { disableAccount, enableAccount } from '@/lib/auth/operator/disable'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addDisable(program: Command): void {
  addCommand(program, 'disable', 'ends all sessions of an account and closes every way in')
    .argument('<account>', accountArgument)
    .action(change(disableAccount, (name) => `${name} is disabled, and all its sessions have ended.`))
}

export function addEnable(program: Command): void {
  addCommand(program, 'enable', 'opens the ways in to a disabled account again; its sessions stay over')
    .argument('<account>', accountArgument)
    .action(change(enableAccount, (name) => `${name} can sign in again.`))
}

const change = (act: (account: UserRow) => Promise<void>, sentence: (name: string) => string) =>
  perform(async (_, reference: string) => {
    const account = await findAccount(reference)
    await act(account)
    return { json: { user: publicUser(account) }, text: sentence(account.username) }
  })
