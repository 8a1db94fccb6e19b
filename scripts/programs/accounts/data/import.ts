import { open } from 'node:fs/promises'
import type { Command } from 'commander'
import { CommandError } from '../command/command-error'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { progressBar } from './progress-bar'

export function addImport(program: Command): void {
  addCommand(program, 'import', 'creates accounts from NDJSON; exits with 1 if it rejects a row')
    .argument('<file>', 'a file with one row per line, or - for standard input')
    .action(
      perform(async ({ json }, file: string) => {
        const { input, size } = await openInput(file)
        const bar = progressBar(process.stderr, size)
        const rejections: { line: number; reason: string }[] = []
        // On demand: what reads passkeys takes longer to load than the rest of the command.
        const { importAccounts } = await import('@/lib/auth/operator/import/accounts')
        const { created, existing, rejected, dearer, weak } = await importAccounts(input, {
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
