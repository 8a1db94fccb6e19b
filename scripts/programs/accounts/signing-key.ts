import type { Command } from 'commander'
import { rotateKeys } from '@/lib/openid/keys/signing-keys'
import { CommandError } from './command/command-error'
import { type CommonOptions, perform } from './command/perform'
import { addCommand } from './command/program'

export function addSigningKey(program: Command): void {
  const group = program.command('signing-key').description('looks after the key that signs what apps get')
  addCommand(group, 'rotate', 'makes the next key, publishes it, and signs with it after 24 hours')
    .option('--now', 'the old key is known to others: sign with the next at once, and publish the old no more')
    .action(perform(rotate))
}

async function rotate({ now = false }: CommonOptions & { now?: boolean }) {
  const made = await rotateKeys({ atOnce: now })
  if (!made) throw new CommandError('Another command has just made the next key. Nothing was changed.')
  const signsFrom = new Date(made.signsFrom).toISOString()
  return { json: { kid: made.kid, signsFrom }, text: `The key ${made.kid} signs from ${signsFrom} on.` }
}
