// npm run test:mutation: changes the product in one place at a time and runs the tests that reach it. What was found is kept
// in build/mutation/outcomes, so that a run that was cut goes on, and tests that were added since are tried.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from '../../scripts/command-line/read-options.mjs'
import { coverageOf } from './coverage.mjs'
import { copy, folder, prepareCopy } from './instrument.mjs'
import { report } from './report.mjs'
import { sample } from './sample.mjs'
import { specsIn } from './specs.mjs'
import { tryMutant, untried } from './trial.mjs'

const values = readOptions(
  'npm run test:mutation --',
  'Measures how many faults in the product the tests find; docs/testing.md explains how.',
  {
    '--mutants <number>': 'how many; 400 by default',
    '--seed <number>': 'which; 29 by default',
    '--only <path>': 'those of a folder or file',
    '--at-once <number>': 'how many side by side; 2 by default',
    '--minutes <number>': 'ends after that time, with the table of what was found; 600 by default',
  },
)
const [seed, only] = [String(values.seed ?? 29), String(values.only ?? '')]
const deadline = Date.now() + Number(values.minutes ?? 600) * 60_000

mkdirSync(folder, { recursive: true })
console.log('Making a copy with all mutants')
const product = await prepareCopy()

/** Works through a list, some at once, until the deadline. @template T @param {T[]} list @param {(item: T, index: number) => Promise<void>} work */
async function each(list, work) {
  const queue = list.entries()
  const lane = async () => {
    for (const [index, item] of queue) {
      if (Date.now() > deadline) return
      await work(item, index)
    }
  }
  await Promise.all(Array.from({ length: Number(values.atOnce ?? 2) }, lane))
}

/** @type {Map<string, import('./trial.mjs').Test[]>} */
const testsOf = new Map(product.mutants.map(({ key }) => [key, []]))
const fileOf = new Map(product.mutants.map(({ key, file }) => [key, file]))

/** @param {import('./coverage.mjs').Coverage} coverage of a spec */
function addTests({ digest, tests }) {
  // What all of them reach is reached as the server starts, and says nothing of what a test is about.
  const common = inAll(tests.map(({ reaches }) => new Set(reaches)))
  for (const test of tests) {
    const byFile = new Map()
    for (const key of test.reaches)
      if (!common.has(key)) byFile.set(fileOf.get(key), (byFile.get(fileOf.get(key)) ?? 0) + 1)
    for (const key of test.reaches) testsOf.get(key)?.push({ ...test, digest, byFile })
  }
}

/** @param {Set<string>[]} sets of which one alone has nothing in common with others */
const inAll = ([first = new Set(), ...others]) =>
  new Set(others.length === 0 ? [] : [...first].filter((key) => others.every((one) => one.has(key))))

const all = specsIn(copy)
if (all.length === 0) throw new Error('No spec was found.')
await each(all, async (spec, index) => {
  const coverage = await coverageOf(spec, product)
  addTests(coverage)
  if (index % 10 === 0) console.log(`Coverage: ${index + 1} of ${all.length} specs`)
  const left = coverage.left.length
  if (left > 0) console.log(`  ${spec}: ${left} tests fail or are skipped without a mutant`)
})

// Another state of the source has other mutants.
const file = join(folder, 'outcomes')
const [state, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
if (state !== product.state) writeFileSync(file, `${product.state}\n`)
/** @type {Map<string, import('./trial.mjs').Outcome>} */
const outcomes = new Map()
for (const line of state === product.state ? lines : []) {
  const outcome = JSON.parse(line)
  outcomes.set(outcome.key, outcome)
}

const chosen = sample(product.mutants, Number(values.mutants ?? 400), seed).filter(({ file: of }) =>
  of.startsWith(only),
)
/** @param {import('./instrument.mjs').Mutant} mutant @param {boolean} thorough */
function isDecided({ key }, thorough) {
  const earlier = outcomes.get(key)
  if (earlier === undefined || earlier.status === 'unreached') return false
  if (earlier.status === 'open') return !thorough
  return earlier.status !== 'survived' || untried(testsOf.get(key) ?? [], earlier).length === 0
}

for (const thorough of [false, true]) {
  await each(chosen, async (mutant, index) => {
    if (isDecided(mutant, thorough)) return
    const outcome = await tryMutant(mutant, testsOf.get(mutant.key) ?? [], outcomes.get(mutant.key), thorough)
    outcomes.set(mutant.key, outcome)
    appendFileSync(file, `${JSON.stringify(outcome)}\n`)
    const change = `${mutant.file}:${mutant.line} ${mutant.original.slice(0, 60)} -> ${mutant.replacement.slice(0, 60)}`
    console.log(`${index + 1} ${outcome.status}: ${change}`)
  })
}
report(chosen, outcomes, seed)
