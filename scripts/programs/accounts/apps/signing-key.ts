import type { Command } from 'commander'
import { rotateKeys } from '@/lib/openid/keys/signing-keys'
import { CommandError } from '../command/command-error'
import { type CommonOptions, perform } from '../command/perform'
import { addCommand } from '../command/program'

export function addSigningKey(program: Command): void {
  const group = program.command('signing-key').description('manages the key that signs the tokens of apps')
  addCommand(group, 'rotate', 'creates and publishes the next key, which signs after 24 hours')
    .option('--now', 'for a leaked key: sign with the next one at once, and stop publishing the old one')
    .action(perform(rotate))
}

async function rotate({ now = false }: CommonOptions & { now?: boolean }) {
  const made = await rotateKeys({ atOnce: now })
  if (!made) throw new CommandError('Another command has just made the next key. Nothing was changed.')
  const signsFrom = new Date(made.signsFrom).toISOString()
  return { json: { kid: made.kid, signsFrom }, text: `The key ${made.kid} signs from ${signsFrom} on.` }
}
