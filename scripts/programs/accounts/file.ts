import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Applied, applyFile, standing } from '@/lib/openid/apps/apply'
import { changesText, FileError, fileOf, readAppFile, readNamed } from '@/lib/openid/apps/file'
import { variable } from '@/lib/settings/settings'
import { addCommand, CommandError, type CommonOptions, perform } from './command'
import { operator } from './operate'

interface ApplyOptions extends CommonOptions {
  prune?: boolean
  check?: boolean
}

export function addApply(program: Command): void {
  addCommand(program, 'apply', 'makes apps and groups what a JSON file says, all of it or nothing')
    .argument('<file>', 'such as latchkey.json, or - for standard input')
    .option('--prune', 'delete the apps and groups that it does not name')
    .option('--check', 'change nothing, say what would change, and exit with 1 if anything would')
    .action(perform(apply))
}

async function apply({ prune = false, check = false }: ApplyOptions, name: string) {
  const reading =
    name === '-'
      ? buffer(process.stdin).then((bytes) => readNamed('The file', bytes, variable))
      : readAppFile(name, variable)
  const content = await reading.catch((error: unknown) => {
    throw error instanceof FileError ? new CommandError(error.message, 2) : error
  })
  const { changes, secrets } = await applyFile(operator, content, { prune, check })
  return {
    json: { changes, secrets } satisfies Applied,
    text: [changesText(changes), ...Object.entries(secrets).map(secretText)].join('\n'),
    exitCode: check && changes.length > 0 ? (1 as const) : (0 as const),
  }
}

const secretText = ([app, secret]: [string, string]) => `The secret of ${app}, which is shown this once: ${secret}`

export function addDump(program: Command): void {
  addCommand(program, 'dump', 'prints the file of the apps and groups that there are; applying it changes nothing')
    .option('--secrets', "with digests of the apps' secrets, by which another installation takes the same")
    .action(
      perform(async ({ secrets = false }: CommonOptions & { secrets?: boolean }) => {
        const file = fileOf(await standing(), { secrets })
        return { json: file, text: JSON.stringify(file, null, 2) }
      }),
    )
}
