import { playwright } from './playwright.mjs'

/** @typedef {import('./instrument.mjs').Mutant} Mutant */
/** @typedef {import('./coverage.mjs').Test & { digest: string }} Test */
/**
 * What came of a mutant. `tried`: the tests that passed with it, each with the digest of its spec.
 *
 * @typedef {object} Outcome
 * @property {string} key
 * @property {'killed' | 'timeout' | 'survived' | 'unreached'} status
 * @property {string[]} tried
 * @property {string} [by] the test that failed
 * @property {string} [error]
 */

/** Seconds of tests in one go. The first go kills most; few tests wait for the others to end. */
const goes = [6, 40]

const idOf = (/** @type {Test} */ { name, digest }) => `${digest.slice(0, 8)} ${name}`

/** The tests that reach a mutant and have not passed with it. @param {Test[]} tests @param {Outcome} [earlier] */
export const untried = (tests, earlier) => tests.filter((test) => !earlier?.tried.includes(idOf(test)))

/**
 * Runs the tests that reach a mutant, the quickest first, until one fails.
 *
 * @param {Mutant} mutant
 * @param {Test[]} tests that reach it
 * @param {Outcome | undefined} earlier
 * @param {boolean} thorough go on until no test is left; without it, two goes have to do
 * @returns {Promise<Outcome>}
 */
export async function tryMutant({ id, key }, tests, earlier, thorough) {
  const tried = [...(earlier?.tried ?? [])]
  const queue = untried(tests, earlier).sort((a, b) => costOf(a) - costOf(b))
  for (let turn = 0; queue.length > 0 && (thorough || turn < goes.length); turn++) {
    const go = take(queue, goes[turn] ?? 120)
    const failure = await run(id, go)
    if (failure) return { key, tried, ...failure }
    tried.push(...go.map(idOf))
  }
  return { key, status: tests.length === 0 ? 'unreached' : 'survived', tried }
}

/** @param {string} id @param {Test[]} tests @returns {Promise<Omit<Outcome, 'key' | 'tried'> | undefined>} how one failed */
async function run(id, tests) {
  const plain = tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  const { ran, timedOut, output } = await playwright(['-x', '--timeout=40000'], {
    tests: tests.map(({ name }) => name),
    env: { MUTANT: id },
    // Processes have to start, on a machine that may have other work.
    limit: 3 * plain + 30_000,
  })
  const failed = ran.find(({ outcome }) => outcome === 'failed')
  if (failed) return { status: 'killed', by: failed.name, error: firstLines(failed.error ?? '') }
  if (timedOut) return { status: 'timeout' }
  // A spec does not load, or its worker ends.
  return ran.length < tests.length ? { status: 'killed', error: firstLines(output) } : undefined
}

const firstLines = (/** @type {string} */ text) => text.split('\n', 4).join(' ').slice(0, 300)

/** Tests without a server come first: they need no start of one. @param {Test} test */
const costOf = ({ name, milliseconds }) => milliseconds + (name.startsWith('[unit]') ? 0 : 1000)

/** @param {Test[]} queue loses what is taken @param {number} seconds */
function take(queue, seconds) {
  let sum = 0
  let count = 0
  for (const { milliseconds } of queue) {
    sum += milliseconds
    if (count > 0 && sum > seconds * 1000) break
    count += 1
  }
  return queue.splice(0, count)
}
