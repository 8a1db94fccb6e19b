import { defineConfig } from 'playwright/test'
import { headlessShellOptions } from '../support/machine/find-chromium.mjs'
import { inCi } from '../support/machine/programs'

/** latchkey-kit as others install it: its tarball in empty folders, beside `latchkey dev`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/kit',
  globalSetup: './pack.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: inCi,
  // A build beside all else that CI runs takes minutes.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
  use: { browserName: 'chromium', launchOptions: headlessShellOptions('--disable-background-networking') },
})
