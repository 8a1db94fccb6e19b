import { appendFileSync } from 'node:fs'
import type { FullConfig, FullResult, Reporter, Suite, TestCase } from 'playwright/types/testReporter'
import { inCi } from '../machine/programs'

/** Tests of a run that takes minutes. */
const longRun = 200

/**
 * Says how far a long run is, what was skipped for which missing program, and ends the output with
 * `N passed, N failed, N skipped`, which tools parse; in CI a skipped test fails the run. `TEST_TALLY` is a file that gets that
 * line, too, for whoever adds up several runs.
 */
export default class LastLine implements Reporter {
  private suite: Suite | undefined
  private errors = 0
  private line = ''
  private total = 0
  private ended = 0
  private startedAt = 0

  onBegin(_config: FullConfig, suite: Suite) {
    this.suite = suite
    this.total = suite.allTests().length
    this.startedAt = Date.now()
  }

  onTestEnd() {
    const tenthBefore = Math.floor((this.ended * 10) / this.total)
    this.ended += 1
    const tenth = Math.floor((this.ended * 10) / this.total)
    if (this.total < longRun || tenth === tenthBefore) return
    const minutes = ((Date.now() - this.startedAt) / 60_000).toFixed(1)
    process.stdout.write(`${tenth * 10} % of ${this.total} tests, ${minutes} min\n`)
  }

  /** An error outside every test, such as a file that does not load. */
  onError() {
    this.errors += 1
  }

  async onEnd(_result: FullResult) {
    const tests = this.suite?.allTests() ?? []
    const outcomes = tests.map((test) => (test.results.length === 0 ? 'unrun' : test.outcome()))
    const count = (...wanted: string[]) => outcomes.filter((outcome) => wanted.includes(outcome)).length
    const skipped = count('skipped', 'unrun')
    const failed = count('unexpected', 'flaky') + this.errors
    for (const line of skips(tests)) process.stdout.write(`${line}\n`)
    this.line = `${count('expected')} passed, ${failed} failed, ${skipped} skipped`
    return inCi && skipped > 0 ? { status: 'failed' as const } : undefined
  }

  /** Runs after every reporter's onEnd, so that this is the last line. */
  async onExit() {
    const { TEST_TALLY } = process.env
    if (TEST_TALLY !== undefined) appendFileSync(TEST_TALLY, `${this.line}\n`)
    process.stdout.write(`${this.line}\n`)
  }
}

/** A line for each reason why tests were skipped. */
function skips(tests: TestCase[]): string[] {
  const counts = new Map<string, number>()
  for (const test of tests)
    for (const { type, description } of test.annotations)
      if (type === 'skip' && description) counts.set(description, (counts.get(description) ?? 0) + 1)
  return [...counts].map(
    ([reason, count]) => `Skipped: ${count} ${count === 1 ? 'test needs' : 'tests need'} ${reason}`,
  )
}
