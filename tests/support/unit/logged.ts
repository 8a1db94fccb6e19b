import { test as base } from 'playwright/test'
import { log } from '@/lib/process/log'

/** For unit tests: what this process logs as a warning while a test runs, which is then not written. */
export const test = base.extend<{ logged: unknown[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  logged: async ({}, use) => {
    const { warn } = log()
    const logged: unknown[] = []
    Object.assign(log(), { warn: (fields: unknown) => void logged.push(fields) })
    await use(logged)
    // The log is the process's, and other specs follow in it.
    Object.assign(log(), { warn })
  },
})
