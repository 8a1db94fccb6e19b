import type { Command } from 'commander'
import { replaceCodesAsOperator } from '@/lib/auth/operator/owner-changes'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { accountArgument, findAccount } from './find-account'

export function addRecoveryCodes(program: Command): void {
  addCommand(
    program,
    'recovery-codes',
    'prints new recovery codes, once, for somebody who has lost every way to sign in',
  )
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const codes = await replaceCodesAsOperator(await findAccount(reference))
        return { json: { codes }, text: codes.join('\n') }
      }),
    )
}
