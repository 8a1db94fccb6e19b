import { Command } from 'commander'

// A command keeps running, with the right exit code, when the reader closes the pipe early (`npm run doctor | head -1`).
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error
  })

/**
 * The options of a command without arguments. Answers `--help`, and exits with 2 for anything that it does not know.
 *
 * @param {string} name as it is typed, such as `npm run tables --`
 * @param {string} description
 * @param {Record<string, string>} [options] what each is for, by its flag, such as `--check` or `--accounts <numbers>`
 * @returns {Record<string, string | true | undefined>}
 */
export function readOptions(name, description, options = {}) {
  const command = new Command(name)
    .description(description)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  for (const [flag, purpose] of Object.entries(options)) command.option(flag, purpose)
  return command.parse().opts()
}

/** "1 account", "2 accounts" @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`
