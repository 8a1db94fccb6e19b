#!/usr/bin/env node
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { apply, InitError, plan, shown } from './init.js'

const usage = `Usage: latchkey-kit init [--yes] [--dry-run] [--port <port>]

Prepares the Next, Express or Hono app of this folder for sign-in with Latchkey. Shows what it would write, and asks.

  --yes          writes without asking
  --dry-run      shows, and writes nothing
  --port <port>  where the app listens, 3000 unless its package.json says so
`

async function run(): Promise<number> {
  const options = readOptions()
  if (!options) return 2
  if (options.help) {
    process.stdout.write(usage)
    return 0
  }
  const planned = plan(process.cwd(), options.port === undefined ? undefined : Number(options.port))
  if (planned.changes.length === 0) {
    process.stdout.write(`Nothing to write: everything is here.\n\n${planned.next}`)
    return 0
  }
  process.stdout.write(shown(planned.changes))
  if (options['dry-run']) return 0
  if (!options.yes && !(await isConfirmed())) return 1
  apply(planned.changes)
  process.stdout.write(`\n${planned.next}`)
  return 0
}

function readOptions() {
  try {
    const flags = {
      yes: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean' },
      port: { type: 'string' },
    } as const
    const { values, positionals } = parseArgs({ options: flags, allowPositionals: true })
    if (
      values.port !== undefined &&
      !(/^\d+$/.test(values.port) && Number(values.port) > 0 && Number(values.port) < 65_536)
    )
      throw new Error(`--port is ${values.port}. It must be 1 to 65535.`)
    if (!values.help && (positionals.length !== 1 || positionals[0] !== 'init'))
      throw new Error('The command is: latchkey-kit init')
    return values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`)
    return null
  }
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    process.stderr.write('\nNothing was written, because nobody can be asked here. Add --yes to write this.\n')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('\nWrite this? [y/N] ')
  terminal.close()
  if (/^y(es)?$/i.test(answer.trim())) return true
  process.stdout.write('Nothing was written.\n')
  return false
}

try {
  process.exitCode = await run()
} catch (error) {
  if (!(error instanceof InitError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
