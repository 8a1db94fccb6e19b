import { defineConfig } from 'playwright/test'
import { inCi } from '../support/machine/programs'

/** The product on every supported Node, from one clean install. */
export default defineConfig({
  testDir: '.',
  globalSetup: './install.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: inCi,
  timeout: 600_000,
  reporter: [['list'], ['../support/project/reporter.ts']],
})
