import { defineConfig } from 'playwright/test'
import { inCi } from '../support/machine/programs'

/** A fork of the product: apart from `npm test`, because it is a build of its own. */
export default defineConfig({
  testDir: '.',
  globalSetup: './build.ts',
  workers: 1,
  forbidOnly: inCi,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
})
