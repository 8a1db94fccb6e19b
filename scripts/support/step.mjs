import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Stops the telemetry of Next and Prisma, and their notices about it and about updates. */
export const withoutTelemetry = { NEXT_TELEMETRY_DISABLED: '1', CHECKPOINT_DISABLE: '1' }

/** @param {string} step what starts now, such as "Building the server" */
export function announce(step) {
  console.log(step)
}

/**
 * Runs Node for a step. Shows only its stderr (the warnings) if it succeeds. If it fails, shows all of its output and exits
 * with the same exit code. SIGTERM ends the step, too.
 *
 * @param {string[]} args Node's arguments
 * @param {RegExp} [chatter] lines of stderr to hide
 */
export async function runQuietly(args, chatter) {
  const env = { ...withoutTelemetry, ...process.env }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let warnings = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text
    warnings += text
  })
  const end = () => {
    child.kill()
    process.exit(128 + constants.signals.SIGTERM)
  }
  process.once('SIGTERM', end)
  const [status, signal] = await once(child, 'close')
  process.off('SIGTERM', end)
  if (status === 0) {
    process.stderr.write(withoutChatter(warnings, chatter))
    return
  }
  if (signal) output += `Ended by ${signal}.\n`
  await new Promise((written) => process.stderr.write(output, written))
  process.exit(status ?? 1)
}

const require = createRequire(import.meta.url)

/**
 * The script of an executable in node_modules, to run with Node: without a shell, and without npx and its notices.
 *
 * @param {string} name
 */
export function executableFile(name) {
  const manifest = require.resolve(`${name}/package.json`)
  return join(dirname(manifest), require(manifest).bin[name])
}

/** @param {string} text @param {RegExp} [chatter] */
function withoutChatter(text, chatter) {
  const plain = stripVTControlCharacters
  const lines = text.split('\n').filter((line) => !chatter?.test(plain(line)))
  return lines.some((line) => plain(line).trim()) ? lines.join('\n') : ''
}
