import { defineConfig } from 'playwright/test'
import { inCi } from '../support/machine/programs'

/** The image and the Compose file, on the engine that run.sh starts. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './build.ts',
  workers: 2,
  forbidOnly: inCi,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
})
