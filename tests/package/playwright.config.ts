import { defineConfig } from 'playwright/test'
import { inCi } from '../support/machine/programs'

/** The service as a package of npm's, installed where an app is: `npm run pack`, and `latchkey dev`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './install.ts',
  workers: 1,
  forbidOnly: inCi,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
})
