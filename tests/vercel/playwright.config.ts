import { defineConfig } from 'playwright/test'
import main from '../../playwright.config'

/** `npm run test:vercel`: apart from `npm test`, because it downloads Vercel's CLI and takes minutes. */
export default defineConfig({
  testDir: '.',
  globalSetup: './deploy.ts',
  workers: 1,
  reporter: [['list'], ['../support/project/reporter.ts']],
  projects: (main.projects ?? [])
    .filter(({ name }) => name === 'browser')
    .map(({ use = {} }) => ({ name: 'vercel', use })),
})
