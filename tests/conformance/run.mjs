// npm run test:conformance: runs plans of the OpenID Foundation's conformance suite against the built product, and compares
// each module's result with the one that docs/evidence/openid-conformance.md demands.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readOptions } from '../../scripts/support/command-line.mjs'
import { writeGeneratedPart } from '../../scripts/support/generated-file.mjs'

const document = 'docs/evidence/openid-conformance.md'
const command = 'npm run test:conformance'

/** The plans of each table of the document. Form Post OP has the modules of Basic OP. */
const tables = [['Config OP'], ['Basic OP', 'Form Post OP'], ['RP-Initiated Logout OP'], ['Back-Channel Logout OP']]

const options = readOptions(
  `${command} --`,
  'Runs the plans of a running conformance suite of the OpenID Foundation; docs/testing.md says what it needs.',
  {
    '--suite <url>': 'base URL of the suite, such as https://localhost:8443',
    '--module <text>': 'only modules with this in their name',
    '--write': `write modules and results to ${document}, in place of comparing them; needs all modules`,
  },
)
const suite = String(options.suite ?? '').replace(/\/+$/, '')
const part = String(options.module ?? '')
if (!suite.startsWith('https://') || !URL.canParse(suite))
  exit('--suite must be the base URL of a running suite, such as https://localhost:8443.')
if (part !== '' && options.write) exit('--write needs the results of all modules: leave out --module.')

const { isComplete, results } = runPlans()
if (isComplete && results.length === 0) exit(`No module has ${part} in its name.`)
if (options.write && isComplete) for (const plans of tables) writeTable(plans)
const demanded = tables.flatMap(readResults).filter(({ module }) => module.includes(part))

const failed = results.flatMap(faultOf)
const unrun = demanded.filter((row) => !results.some((result) => isSame(row, result)))
for (const line of failed) console.error(line)
for (const { plan, module } of unrun) console.error(`${plan}, ${module}: not run, but ${document} has it`)
console.log(`${results.length - failed.length} passed, ${failed.length + unrun.length} failed`)
process.exitCode = failed.length + unrun.length === 0 && isComplete ? 0 : 1

/**
 * @typedef {{ plan: string, module: string }} Module
 * @typedef {Module & { result: string }} Result
 */

/** @param {string} message */
function exit(message) {
  console.error(message)
  process.exit(2)
}

/** Has Playwright run the plans, which leave a line for each module. */
function runPlans() {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-conformance-'))
  const file = join(folder, 'results')
  const playwright = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js')
  const { status } = spawnSync(process.execPath, [playwright, 'test', '--config', 'tests/conformance'], {
    stdio: 'inherit',
    env: { ...process.env, CONFORMANCE_SUITE: suite, CONFORMANCE_MODULE: part, CONFORMANCE_RESULTS: file },
  })
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  rmSync(folder, { recursive: true })
  return { isComplete: status === 0, results: lines.map((line) => /** @type {Result} */ (JSON.parse(line))) }
}

/**
 * @param {Module} one
 * @param {Module} another
 */
function isSame(one, another) {
  return one.plan === another.plan && one.module === another.module
}

/** @param {Result} run */
function faultOf(run) {
  const wanted = demanded.find((row) => isSame(row, run))?.result ?? 'no such module'
  if (run.result === wanted && !/^(FAILED|INTERRUPTED)/.test(wanted)) return []
  return [`${run.plan}, ${run.module}: ${run.result}, but ${document} has ${wanted}`]
}

/** @param {string[]} plans */
function markOf(plans) {
  return plans.join(' and ')
}

/**
 * The rows of a table: a module, its result in each plan, the rule that it checks, and our tests of that rule.
 *
 * @param {string[]} plans
 */
function readRows(plans) {
  const [, table = ''] = readFileSync(document, 'utf8').split(`<!-- ${markOf(plans)}: ${command} -->`)
  const lines = table.slice(0, table.indexOf(`<!-- /${markOf(plans)} -->`)).split('\n')
  return lines.filter((line) => line.startsWith('| `')).map((line) => line.slice(2, -2).split(' | '))
}

/** @param {string[]} plans */
function readResults(plans) {
  return readRows(plans).flatMap(([module = '', ...cells]) =>
    plans.map((plan, at) => ({ plan, module: module.replaceAll('`', ''), result: cells[at] ?? '' })),
  )
}

/**
 * Writes a row for each module in the suite's order. The rule and its tests stay, and are empty in the row of a new module.
 *
 * @param {string[]} plans
 */
function writeTable(plans) {
  const before = readRows(plans)
  const modules = new Set(results.filter(({ plan }) => plans.includes(plan)).map(({ module }) => module))
  const rows = [...modules].flatMap((module) => {
    const name = `\`${module}\``
    const found = plans.map((plan) => results.find((result) => isSame({ plan, module }, result))?.result ?? '–')
    const known = before.filter((row) => row[0] === name)
    return (known.length === 0 ? [['', '']] : known).map((row) => [name, ...found, ...row.slice(-2)])
  })
  const head = ['module', ...plans, 'rule', 'proved by']
  const [title, ...lines] = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  const text = [title, `|${head.map(() => '---|').join('')}`, ...lines].join('\n')
  writeGeneratedPart(document, markOf(plans), text, { check: false, command })
}
