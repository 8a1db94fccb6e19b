import { test as base } from 'playwright/test'
import { log } from '@/lib/process/log'

/** For unit tests: what this process logs as a warning or an error while a test runs, which is then not written. */
export const test = base.extend<{ logged: unknown[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  logged: async ({}, use) => {
    const { warn, error } = log()
    const logged: unknown[] = []
    const record = (fields: unknown) => void logged.push(fields)
    Object.assign(log(), { warn: record, error: record })
    await use(logged)
    // The log is the process's, and other specs follow in it.
    Object.assign(log(), { warn, error })
  },
})
