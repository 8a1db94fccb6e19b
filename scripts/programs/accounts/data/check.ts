import type { Command } from 'commander'
import { findDamage } from '@/lib/auth/operator/find-damage'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'

export function addCheck(program: Command): void {
  addCommand(program, 'check', 'looks for damage in the database; exits with 1 if it finds any').action(
    perform(async () => {
      const findings = await findDamage()
      const ok = findings.length === 0
      return { json: { ok, findings }, text: ok ? 'No damage was found.' : findings.join('\n'), exitCode: ok ? 0 : 1 }
    }),
  )
}
