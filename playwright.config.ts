import { defineConfig } from 'playwright/test'
import { findChromium } from './scripts/find-chromium.mjs'
import { findPostgres } from './tests/support/postgres'
import { findRedis } from './tests/support/redis'

const executablePath = findChromium()
const asRoot = process.getuid?.() === 0

// The whole API suite runs again on PostgreSQL and Redis, where the machine has them; CI must.
const canNetwork = process.env.CI !== undefined || (findPostgres() !== null && findRedis() !== null)
if (!canNetwork && process.env.TEST_WORKER_INDEX === undefined)
  console.warn('Skipped: the API suite on PostgreSQL and Redis, which are not on this machine.')

export default defineConfig<object, { backend: 'embedded' | 'networked' }>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  reporter: [['list'], ['./tests/support/reporter.ts']],
  projects: [
    { name: 'unit', testDir: 'tests/unit' },
    { name: 'api', testDir: 'tests/api', grepInvert: /@networked/ },
    ...(canNetwork
      ? [
          {
            name: 'api-networked',
            testDir: 'tests/api',
            grepInvert: /@embedded/,
            use: { backend: 'networked' as const },
          },
        ]
      : []),
    {
      name: 'browser',
      testDir: 'tests/browser',
      use: {
        browserName: 'chromium',
        launchOptions: {
          ...(executablePath !== undefined && { executablePath }),
          args: [
            // Chromium's sandbox refuses to start for root.
            ...(asRoot ? ['--no-sandbox'] : []),
            '--disable-quic',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--no-first-run',
          ],
        },
      },
    },
  ],
})
