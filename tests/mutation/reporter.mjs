import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Writes a line of JSON for each test that ended: what --test-list calls it, when it ran, and how it failed. */
export default class Lines {
  rootDir = ''

  /** @param {import('playwright/types/testReporter').FullConfig} config */
  onBegin(config) {
    this.rootDir = config.rootDir
  }

  /** @param {import('playwright/types/testReporter').TestCase} test @param {import('playwright/types/testReporter').TestResult} result */
  onTestEnd(test, { status, startTime, duration, error }) {
    const [, project, , ...titles] = test.titlePath()
    const name = [`[${project}]`, relative(this.rootDir, test.location.file), ...titles].join(' › ')
    const outcome = status === 'skipped' ? 'skipped' : test.ok() ? 'passed' : 'failed'
    const line = { name, outcome, start: startTime.getTime(), duration, error: error?.message }
    appendFileSync(process.env.MUTANT_REPORT ?? '', `${JSON.stringify(line)}\n`)
  }
}
