import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { copy, folder } from './instrument.mjs'

/** @typedef {{ name: string, outcome: 'passed' | 'failed' | 'skipped', start: number, duration: number, error?: string }} Ran */

const reports = join(folder, 'reports')
const cli = join(copy, 'node_modules/playwright/cli.js')
const own = (/** @type {string} */ name) => join(copy, 'tests/mutation', name)

/** Process groups, which a terminal's Ctrl-C does not reach. @type {Set<number>} */
const groups = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
process.on('exit', () => {
  for (const group of groups) process.kill(-group, 'SIGKILL')
})

/**
 * Runs tests of the instrumented copy, one after the other, in a process group of its own.
 *
 * @param {string[]} words of Playwright
 * @param {{ tests?: string[], env?: Record<string, string>, limit?: number }} [options] `tests`: these only;
 *   `limit`: milliseconds, after which everything that was started is killed
 * @returns {Promise<{ ran: Ran[], passed: boolean, timedOut: boolean, output: string }>}
 */
export async function playwright(words, { tests, env = {}, limit } = {}) {
  mkdirSync(reports, { recursive: true })
  const scratch = mkdtempSync(join(reports, 'run-'))
  // PostgreSQL runs as a user of its own, below it.
  chmodSync(scratch, 0o755)
  const report = join(scratch, 'report')
  const list = join(scratch, 'list')
  if (tests) writeFileSync(list, tests.join('\n'))
  const all = [
    'test',
    '--workers=1',
    `--reporter=${own('reporter.mjs')}`,
    `--output=${join(scratch, 'output')}`,
    ...words,
  ]
  const child = spawn(process.execPath, [cli, ...all, ...(tests ? [`--test-list=${list}`] : [])], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NODE_OPTIONS: `--import=${pathToFileURL(own('inherit.mjs'))}`,
      TMPDIR: scratch,
      PWTEST_CACHE_DIR: join(folder, 'transformed'),
      MUTANT_REPORT: report,
      ...env,
    },
  })
  const pid = child.pid ?? 0
  groups.add(pid)
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let timedOut = false
  const timer =
    limit &&
    setTimeout(() => {
      timedOut = true
      process.kill(-pid, 'SIGKILL')
    }, limit)
  const code = await new Promise((done) => child.once('close', done))
  clearTimeout(timer || undefined)
  groups.delete(pid)
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : []
  rmSync(scratch, { recursive: true, force: true })
  return { ran: lines.map((line) => JSON.parse(line)), passed: code === 0, timedOut, output }
}
