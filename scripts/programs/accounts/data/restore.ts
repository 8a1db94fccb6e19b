import type { Command } from 'commander'
import { type EndedByRestore, finishRestore, restoreBackup } from '@/lib/auth/operator/restore-backup'
import { configuredDialect } from '@/lib/database/client'
import { CommandError } from '../command/command-error'
import { confirm } from '../command/confirm'
import { openDatabase } from '../command/open-database'
import { type CommonOptions, perform } from '../command/perform'
import { addCommand } from '../command/program'

interface Options extends CommonOptions {
  keepCodes?: true
}

export function addRestore(program: Command): void {
  addCommand(
    program,
    'restore',
    'replaces the embedded database with a backup, and ends the sessions that this revives; asks on a terminal only',
  )
    .argument('[file]', 'a backup; without it, the database was restored by other means')
    .option('--keep-codes', 'keep the recovery codes, also those that were used since the backup')
    .action(
      // The database that stands may be destroyed, or newer than this version.
      perform(restore, { opensDatabase: false }),
    )
}

async function restore(options: Options, file: string | undefined) {
  const done = await restoreFrom(file, options)
  report(done, options)
  return { json: { count: done.accounts }, text: `Accounts restored: ${done.accounts}` }
}

async function restoreFrom(file: string | undefined, options: Options): Promise<EndedByRestore> {
  if (file !== undefined) {
    const { ownTools } = await configuredDialect()
    if (ownTools) throw new CommandError(ownTools.restore(file))
    await ask('Replace the database with this backup?', options)
    return restoreBackup(file, options)
  }
  await openDatabase()
  await ask('Sign out everybody and remove their recovery codes?', options)
  return finishRestore(options)
}

/** A script restores on purpose, so only people are asked. */
const ask = async (question: string, options: Options) => {
  if (process.stdin.isTTY) await confirm(question, options)
}

function report({ recoveryCodes, sessions }: EndedByRestore, { keepCodes }: Options): void {
  const codes = keepCodes
    ? 'The recovery codes are good again, also those that were used since the backup.'
    : `Recovery codes removed, since nobody can tell which ones were used since the backup: ${recoveryCodes}.`
  process.stderr.write(`Sessions ended: ${sessions}. ${codes}\n${asInBackup}\n`)
}

const asInBackup = `Passwords, passkeys, disabled accounts and deletions are as they were when the backup was made. A password or
passkey that was removed since works again, and so does an invitation that was used since. So are signing keys and apps' secrets that
were replaced since: if one had leaked, run signing-key rotate --now or app new-secret before the server starts. Apps that were
deleted since are back, and so is access of apps that was removed. People who were taken out of a group since are
in it again, and accounts have e-mail addresses again that were taken away.`
