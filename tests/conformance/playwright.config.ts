import { defineConfig } from 'playwright/test'

/** The plans of the OpenID Foundation's conformance suite; `run.mjs` starts this. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  fullyParallel: true,
  // A plan mostly waits: for the suite, and thirty seconds in one module.
  workers: 2,
  // A plan has up to 35 modules, one after another.
  timeout: 1_800_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
})
