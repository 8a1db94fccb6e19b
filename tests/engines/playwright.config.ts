import { defineConfig } from 'playwright/test'
import { headlessShellOptions } from '../support/machine/find-chromium.mjs'
import { inCi } from '../support/machine/programs'

const engine = process.env.ENGINE ?? 'chromium'
if (engine !== 'chromium' && engine !== 'firefox' && engine !== 'webkit')
  throw new Error(`ENGINE is ${engine}, and must be chromium, firefox or webkit.`)

/** latchkey-kit's fixtures in an engine of Playwright's own, which only a workflow installs: .github/workflows/engines.yml. */
export default defineConfig({
  testDir: '../browser/kit',
  testMatch: 'fixtures.spec.ts',
  outputDir: '../../test-results/engines',
  workers: 1,
  forbidOnly: inCi,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['../support/project/reporter.ts']],
  use: {
    browserName: engine,
    ...(engine === 'chromium' && { launchOptions: headlessShellOptions('--disable-background-networking') }),
  },
})
