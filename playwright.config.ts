import { availableParallelism } from 'node:os'
import { defineConfig } from 'playwright/test'
import type { PerWorker } from './tests/support/fixtures'
import { headlessShellOptions } from './tests/support/machine/find-chromium.mjs'
import { inCi } from './tests/support/machine/programs'

/** `npm run test:long` runs what is too long for every run, and nothing else. */
const long = process.env.LONG === '1'

/** Flags of a browser that asks nobody on the internet. */
const quiet = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/**
 * Browsers work all the time, and each worker starts one, and a server of its own: beyond one for each core and one that waits,
 * starts cost more than waiting.
 */
const browserWorkers = availableParallelism() + 1

/** Leaves out the tests with these tags, and those that `npm run test:long` runs. */
const excluding = (...tags: string[]) => new RegExp(['(?!)', ...tags, ...(long ? [] : ['@long'])].join('|'))

/** Of the tests with one of these tags, those of this run. */
const only = (...tags: string[]) => new RegExp(`^(?=.*(${tags.join('|')}))${long ? '(?=.*@long)' : ''}`)

const overHttp = ['**/tests/api/**/*.spec.ts', '**/tests/openid/**/*.spec.ts']

/** Chromium without its windows and menus. */
const headless = { browserName: 'chromium', launchOptions: headlessShellOptions(...quiet) } as const

export default defineConfig<object, PerWorker>({
  testDir: 'tests',
  // A worker runs a spec's tests one after another, so that what they share is made once. Projects whose tests share nothing,
  // or run long, have `fullyParallel`.
  fullyParallel: false,
  // Tests wait about as long as they work: for commands, hashes, browsers. Beyond nine, memory is what they wait for.
  workers: Math.min(2 * availableParallelism() + 1, 9),
  retries: 0,
  forbidOnly: inCi,
  // Only a failure takes that long; a machine with other work to do takes its time.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['./tests/support/project/reporter.ts']],
  // A project with a filter of its own does not have this one: `excluding` is in it.
  ...(long ? { grep: /@long/ } : { grepInvert: excluding() }),
  projects: [
    { name: 'acceptance', testDir: 'tests/acceptance', use: headless },
    // Early, so that the workers which it leaves have the other tests to run.
    {
      name: 'browser',
      workers: browserWorkers,
      testDir: 'tests/browser',
      use: headless,
    },
    { name: 'unit', testDir: 'tests/unit' },
    {
      name: 'api',
      testMatch: overHttp,
      grepInvert: excluding('@networked', '@pages'),
      // A server without pages starts in half the time and needs no build of them.
      use: { entry: 'api-only' },
    },
    // Tests of the API in which pages have a part.
    {
      name: 'pages',
      testMatch: overHttp,
      grep: only('@pages'),
      grepInvert: excluding(),
    },
    { name: 'model', testDir: 'tests/model', fullyParallel: true },
    // The tests whose outcome storage decides, on PostgreSQL and Redis.
    {
      name: 'api-networked',
      testMatch: overHttp,
      grep: only('@storage', '@networked'),
      grepInvert: excluding('@pages'),
      use: { storage: 'networked', entry: 'api-only' },
    },
    { name: 'model-networked', testDir: 'tests/model', fullyParallel: true, use: { storage: 'networked' } },
  ],
})
