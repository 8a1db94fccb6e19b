import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { WriteStream } from 'node:tty'
import type { Command } from 'commander'
import { ApiError } from '@/lib/api/errors'
import { identifierFaults } from '@/lib/auth/accounts/identifiers'
import { exportAccount } from '@/lib/auth/operator/accounts'
import type { ImportProgress } from '@/lib/auth/operator/import'
import { type EndedByRestore, finishRestore, restoreBackup } from '@/lib/auth/operator/restore'
import { configuredDialect, connection, database } from '@/lib/database/client'
import { backUp } from '@/lib/database/sqlite/backup'
import { appsOf } from '@/lib/openid/apps/grants'
import { dump } from '@/lib/openid/file/apply'
import { changesText } from '@/lib/openid/file/changes'
import { FileError } from '@/lib/openid/file/json'
import { readAppFile, readNamed, withDigests } from '@/lib/openid/file/read'
import { databaseFile } from '@/lib/settings/deployment'
import { settings, variable } from '@/lib/settings/settings'
import { addCommand, type CommonOptions, openDatabase, perform } from './command'
import { farServer } from './far'
import { accountArgument, findAccount, operate, operator } from './operate'
import { CommandError, confirm } from './terminal'

const width = 30
const clearLine = '\r\u001b[K'

/**
 * A bar on a terminal; elsewhere only what is said.
 *
 * @param size bytes of the whole, or null if nobody knows
 */
function progressBar(terminal: Pick<WriteStream, 'write' | 'isTTY'>, size: number | null) {
  const clear = () => void (terminal.isTTY && terminal.write(clearLine))
  return {
    clear,
    show({ bytes, created, existing, rejected }: ImportProgress): void {
      const counts = `${created} created, ${existing} existing, ${rejected} rejected`
      if (terminal.isTTY) terminal.write(`${clearLine}${size === null ? '' : bar(bytes / size)}${counts}`)
    },
    say(line: string): void {
      clear()
      terminal.write(`${line}\n`)
    },
  }
}

function bar(done: number): string {
  const filled = Math.round(Math.min(done, 1) * width)
  return `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(Math.floor(done * 100)).padStart(3)}%  `
}

export function addBackup(program: Command): void {
  addCommand(program, 'backup', 'copies the embedded database to a new file, while the server runs')
    .argument('<file>', 'must not exist')
    .action(
      perform(
        async (_, file: string) => {
          await openEmbedded()
          const count = await backUp(await database(), file)
          return { json: { count }, text: `Accounts in ${file}: ${count}` }
        },
        { opensDatabase: false },
      ),
    )
}

/** Opening a database creates it, and a backup of an empty one would look like a success. */
async function openEmbedded(): Promise<void> {
  const { ownTools } = await configuredDialect()
  if (ownTools) throw new CommandError(ownTools.backup)
  const file = databaseFile(settings().databaseUrl)
  if (!existsSync(file)) throw new CommandError(`There is no database at ${file}. Check DATABASE_URL.`)
  await openDatabase()
}

interface Options extends CommonOptions {
  keepCodes?: true
  keepKeys?: true
}

export function addRestore(program: Command): void {
  addCommand(
    program,
    'restore',
    'replaces the embedded database with a backup, and ends the sessions and invitations that this revives; asks on a terminal only',
  )
    .argument('[file]', 'a backup; without it, the database was restored by other means')
    .option('--keep-codes', 'keep the recovery codes, also those that were used since the backup')
    .option(
      '--keep-keys',
      'keep the keys of operators and invitations, also those that were deleted or used since the backup',
    )
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
    return restoreBackup(operator, file, options)
  }
  await openDatabase()
  await ask('Sign out everybody, and remove recovery codes and invitations?', options)
  return finishRestore(operator, options)
}

/** A script restores on purpose, so only people are asked. */
const ask = async (question: string, options: Options) => {
  if (process.stdin.isTTY) await confirm(question, options)
}

function report(
  { recoveryCodes, sessions, keys, invitations, administrators }: EndedByRestore,
  options: Options,
): void {
  const { keepCodes, keepKeys } = options
  const codes = keepCodes
    ? 'The recovery codes are good again, also those that were used since the backup.'
    : `Recovery codes removed, since nobody can tell which ones were used since the backup: ${recoveryCodes}.`
  const ofKeys = keepKeys
    ? "Operators' keys and invitations are valid again, also those deleted or used since."
    : `Operators' keys ended: ${keys}. Invitations ended: ${invitations}.`
  const admins = `Administrators, as in the backup: ${administrators.join(', ') || 'none'}.`
  process.stderr.write(`Sessions ended: ${sessions}. ${codes} ${ofKeys}\n${admins}\n${asInBackup}\n`)
}

const asInBackup = `Passwords, passkeys, disabled accounts and deletions are as they were when the backup was made. A password or
passkey that was removed since works again. So do signing keys and apps' secrets that were replaced since: if one had leaked, run signing-key rotate --now or app new-secret before the server starts. Apps that were
deleted since are back, and so is access of apps that was removed. People who were taken out of a group since are
in it again, and accounts have e-mail addresses again that were taken away.`

export function addCheck(program: Command): void {
  addCommand(program, 'check', 'looks for damage in the database; exits with 1 if it finds any').action(
    perform(async () => {
      const { client, dialect } = await connection()
      const findings = await dialect.findDamage(client, identifierFaults)
      const ok = findings.length === 0
      return { json: { ok, findings }, text: ok ? 'No damage was found.' : findings.join('\n'), exitCode: ok ? 0 : 1 }
    }),
  )
}

export function addExport(program: Command): void {
  addCommand(program, 'export', 'prints all data of an account, as JSON')
    .argument('<account>', accountArgument)
    .action(
      perform(async (_, reference: string) => {
        const account = await findAccount(reference)
        const exported = await exportAccount(account)
        if (!exported) throw new ApiError('not_found')
        const { apps } = await appsOf({ id: account.id, groups: [] })
        const kept = { ...exported, apps }
        return { json: kept, text: JSON.stringify(kept, null, 2) }
      }),
    )
}

export function addImport(program: Command): void {
  addCommand(program, 'import', 'creates accounts from NDJSON; exits with 1 if it rejects a row')
    .argument('<file>', 'a file with one row per line, or - for standard input')
    .action(
      perform(async ({ json }, file: string) => {
        const { input, size } = await openInput(file)
        const bar = progressBar(process.stderr, size)
        const rejections: { line: number; reason: string }[] = []
        // On demand: what reads passkeys takes longer to load than the rest of the command.
        const { importAccounts } = await import('@/lib/auth/operator/import')
        const { created, existing, rejected, dearer, weak } = await importAccounts(operator, input, {
          // Printed as they come, so that they take no memory; `--json` needs all in one value.
          rejected: (line, reason) => (json ? rejections.push({ line, reason }) : bar.say(`Line ${line}: ${reason}`)),
          progress: bar.show,
        }).finally(bar.clear)
        return {
          json: { created, existing, dearer, weak, refused: rejections.sort((one, other) => one.line - other.line) },
          text: [
            `${created} created, ${existing} existing, ${rejected} rejected.`,
            ...about(dearer, dearerText),
            ...about(weak, weakText),
          ].join('\n'),
          exitCode: rejected === 0 ? 0 : 1,
        }
      }),
    )
}

const dearerText = 'Password hashes that take longer to verify than BCRYPT_COST asks for'
const weakText = 'Password hashes that are weaker than OWASP and NIST recommend, until the next sign-in'

const about = (count: number, what: string) => (count === 0 ? [] : `${what}: ${count}. See docs/migrate.md.`)

async function openInput(file: string): Promise<{ input: AsyncIterable<Buffer>; size: number | null }> {
  if (file === '-') return { input: process.stdin, size: null }
  const handle = await open(file).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new CommandError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read: ${message}`)
  })
  const stat = await handle.stat()
  if (stat.isDirectory()) throw new CommandError(`${file} is a folder. Name a file with one row per line.`)
  return { input: handle.createReadStream(), size: stat.isFile() ? stat.size : null }
}

interface ApplyOptions extends CommonOptions {
  prune?: boolean
  check?: boolean
}

export function addApply(program: Command): void {
  addCommand(program, 'apply', 'makes apps, APIs and groups what a JSON file says, all of it or nothing')
    .argument('<file>', 'such as latchkey.json, or - for standard input')
    .option('--prune', 'delete the apps, APIs and groups that it does not name')
    .option('--check', 'change nothing, say what would change, and exit with 1 if anything would')
    .action(perform(apply, { fromAfar: 'changes' }))
}

async function apply({ prune = false, check = false }: ApplyOptions, name: string) {
  const reading =
    name === '-'
      ? buffer(process.stdin).then((bytes) => readNamed('The file', bytes, variable))
      : readAppFile(name, variable)
  const content = await reading.catch((error: unknown) => {
    throw error instanceof FileError ? new CommandError(error.message, 2) : error
  })
  const { changes, secrets } = await operate('/apply', { file: withDigests(content), prune, check })
  return {
    json: { changes, secrets },
    text: [changesText(changes), ...Object.entries(secrets).map(secretText)].join('\n'),
    exitCode: check && changes.length > 0 ? (1 as const) : (0 as const),
  }
}

const secretText = ([app, secret]: [string, string]) => `The secret of ${app}, which is shown this once: ${secret}`

export function addDump(program: Command): void {
  addCommand(
    program,
    'dump',
    'prints the file of the apps, APIs and groups that there are; applying it changes nothing',
  )
    .option('--secrets', "with digests of the apps' secrets, by which another installation takes the same")
    .action(
      perform(
        async ({ secrets = false }: CommonOptions & { secrets?: boolean }) => {
          // With the database only: an endpoint that told digests would let a key that only reads try secrets against them.
          if (secrets && farServer())
            throw new CommandError('`dump --secrets` needs the database. Run it on the server.', 2)
          const { file } = secrets ? await dump({ secrets }) : await operate('/dump', {})
          return { json: file, text: JSON.stringify(file, null, 2) }
        },
        { fromAfar: 'reads' },
      ),
    )
}
