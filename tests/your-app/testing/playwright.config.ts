import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests',
  use: { baseURL: 'http://localhost:5173' },
  webServer: [
    // Answers once Ada is there.
    { command: 'npx latchkey dev', url: 'http://localhost:3002/as/ada', reuseExistingServer: true },
    { command: 'npm run dev', url: 'http://localhost:5173', reuseExistingServer: true },
  ],
})
