import { existsSync } from 'node:fs'
import { defineConfig } from 'playwright/test'

const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)
const executablePath = process.env.CHROMIUM_PATH ?? found
const asRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  reporter: [['list'], ['./tests/reporter.ts']],
  projects: [
    { name: 'unit', testDir: 'tests/unit' },
    { name: 'api', testDir: 'tests/api' },
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
