import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { dump } from '@/lib/openid/apps/apply'
import { changesText, FileError, readAppFile, readNamed, withDigests } from '@/lib/openid/apps/file'
import { variable } from '@/lib/settings/settings'
import { addCommand, CommandError, type CommonOptions, farServer, perform } from './command'
import { operate } from './operate'

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
