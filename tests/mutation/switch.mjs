// Each file with mutants imports this in the instrumented copy, under the names that Stryker's instrumenter gives. One build
// has every mutant: the variable MUTANT switches one on, and MUTANT_COVERAGE names the folder where hits are noted.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'

const { MUTANT, MUTANT_COVERAGE, TEST_WORKER_INDEX } = process.env

/** Whether this mutant takes the place of the original. @param {string} id */
export const stryMutAct_9fa48 = (id) => id === MUTANT

/** Is called where the original of these mutants runs. @type {(...ids: string[]) => void} */
export const stryCov_9fa48 = MUTANT_COVERAGE ? notingHits(MUTANT_COVERAGE) : () => {}

/** @param {string} folder */
function notingHits(folder) {
  const file = join(folder, `${process.pid}-${threadId}`)
  /** @type {Map<string, number>} */
  const last = new Map()
  // What runs before the first request runs once, for all tests that the server will have. Playwright's own process has no
  // requests: there, hits outside of a test are of that kind.
  let phase = TEST_WORKER_INDEX !== undefined && process.connected ? 'test' : 'start'
  subscribe('http.server.request.start', () => {
    phase = 'test'
  })
  if (isMainThread) process.on('exit', () => appendFileSync(file, `${Date.now()} end\n`))
  return (/** @type {string[]} */ ...ids) => {
    // Once in a millisecond: two tests have more between them.
    const now = Date.now()
    const due = ids.filter((id) => last.get(`${phase} ${id}`) !== now)
    if (due.length === 0) return
    for (const id of due) last.set(`${phase} ${id}`, now)
    appendFileSync(file, `${now} ${phase} ${due.join(' ')}\n`)
  }
}
