import { defineConfig } from 'playwright/test'

/** The product on every supported Node, from one clean install. */
export default defineConfig({
  testDir: '.',
  globalSetup: './install.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  timeout: 600_000,
  reporter: [['list'], ['../support/project/reporter.ts']],
})
