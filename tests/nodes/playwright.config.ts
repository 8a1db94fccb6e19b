import { defineConfig } from 'playwright/test'
import { inCi } from '../support/machine/programs'

/** A fork of the product, and the product on every supported Node, from one clean installation and build. */
export default defineConfig({
  testDir: '.',
  globalSetup: './install.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: inCi,
  timeout: 600_000,
  reporter: [['list'], ['../support/project/reporter.ts']],
})
