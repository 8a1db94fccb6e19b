import { defineConfig } from 'playwright/test'
import { headlessShellOptions } from '../support/machine/find-chromium.mjs'
import { inCi } from '../support/machine/programs'

/** Clients of OpenID Connect and MCP as their authors publish them, against the built product. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './install.ts',
  // A product takes minutes to install.
  projects: [
    { name: 'clients', testIgnore: 'products/**' },
    { name: 'products', testDir: 'products' },
  ],
  fullyParallel: true,
  workers: 2,
  forbidOnly: inCi,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
  use: { browserName: 'chromium', launchOptions: headlessShellOptions('--disable-background-networking') },
})
