import { playwright } from './playwright.mjs'

/** @typedef {import('./instrument.mjs').Mutant} Mutant */
/** @typedef {import('./coverage.mjs').Test & { digest: string, byFile: Map<string, number> }} Test `byFile`: how many mutants of each it reaches that not all tests of its spec do */

/**
 * What came of a mutant. `open`: no test has failed yet, and some that reach it were not run. `tried`: the tests that passed
 * with it, each with the digest of its spec.
 *
 * @typedef {object} Outcome
 * @property {string} key
 * @property {'killed' | 'timeout' | 'survived' | 'open' | 'unreached'} status
 * @property {string[]} tried
 * @property {string} [by] the test that failed
 * @property {string} [error]
 */

/** Tests in one go. The first go kills most; few mutants wait for the others to end. */
const goes = [12, 60]
const laterGoes = 200

const idOf = (/** @type {Test} */ { name, digest }) => `${digest.slice(0, 8)} ${name}`

/** The tests that reach a mutant and have not passed with it. @param {Test[]} tests @param {Outcome} [earlier] */
export const untried = (tests, earlier) => tests.filter((test) => !earlier?.tried.includes(idOf(test)))

/**
 * Runs the tests that reach a mutant until one fails, first those that reach much of its file in little time.
 *
 * @param {Mutant} mutant
 * @param {Test[]} tests that reach it
 * @param {Outcome | undefined} earlier
 * @param {boolean} thorough go on until no test is left; without it, two goes have to do
 * @returns {Promise<Outcome>}
 */
export async function tryMutant({ id, key, file }, tests, earlier, thorough) {
  const tried = [...(earlier?.tried ?? [])]
  const queue = untried(tests, earlier).sort((a, b) => worthOf(b, file) - worthOf(a, file))
  for (let turn = 0; queue.length > 0 && (thorough || turn < goes.length); turn++) {
    const go = queue.splice(0, goes[turn] ?? laterGoes)
    const failure = await run(id, go)
    if (failure) return { key, tried, ...failure }
    tried.push(...go.map(idOf))
  }
  if (tests.length === 0) return { key, status: 'unreached', tried }
  return { key, status: queue.length > 0 ? 'open' : 'survived', tried }
}

/** @param {string} id @param {Test[]} tests @returns {Promise<Omit<Outcome, 'key' | 'tried'> | undefined>} how one failed */
async function run(id, tests) {
  const slowest = Math.max(...tests.map(({ milliseconds }) => milliseconds))
  const plain = tests.reduce((sum, { milliseconds }) => sum + milliseconds + betweenTests, 0)
  const { ran, passed, timedOut, output } = await playwright(['-x', `--timeout=${20_000 + 3 * slowest}`], {
    tests: tests.map(({ name }) => name),
    env: { MUTANT: id },
    // Only a mutant that hangs Playwright itself takes that long: a test has a limit of its own.
    limit: 120_000 + 5 * plain,
  })
  const failed = ran.find(({ outcome }) => outcome === 'failed')
  if (failed && (await failsWithoutMutant(failed))) {
    const others = tests.filter(({ name }) => name !== failed.name)
    return others.length > 0 ? run(id, others) : undefined
  }
  if (failed) return { status: 'killed', by: failed.name, error: firstLines(failed.error ?? '') }
  if (timedOut) return { status: 'timeout' }
  // A spec does not load, or its worker ends.
  return passed ? undefined : { status: 'killed', error: firstLines(output) }
}

/** How a test fails on a machine that has too much to do, or with a mutant that hangs. */
const ofLoad = /timeout|timed out|unavailable|\b503\b|ECONN|EADDRINUSE|did not answer|The server exited/i

/** @param {import('./playwright.mjs').Ran} failed */
async function failsWithoutMutant({ name, error = '', duration }) {
  if (!ofLoad.test(error)) return false
  const { passed } = await playwright([`--timeout=${60_000 + 3 * duration}`], { tests: [name], limit: 300_000 })
  return !passed
}

const firstLines = (/** @type {string} */ text) => text.split('\n', 4).join(' ').slice(0, 300)

/** Loads specs, and makes clients. */
const betweenTests = 300

/** @param {Test} test @param {string} file */
function worthOf({ name, milliseconds, byFile }, file) {
  // What needs no server does not wait for its start.
  const cost = milliseconds + (name.startsWith('[unit]') ? betweenTests : 4 * betweenTests)
  return (byFile.get(file) ?? 0) / cost
}
