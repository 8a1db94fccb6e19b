import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, test } from '../../support/fixtures'
import { serveNotes } from '../../support/kit/notes-app'
import { headlessShellOptions } from '../../support/machine/find-chromium.mjs'
import { freePort } from '../../support/machine/ports'
import { endProcess, killOnExit } from '../../support/machine/processes'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { readSnippet } from '../../support/your-app/snippets'

const run = promisify(execFile)

/** Nothing of this test's own runner reaches the other one. */
const env = { PATH: process.env.PATH, HOME: process.env.HOME } as unknown as NodeJS.ProcessEnv

const documented = ['notes.spec.ts', 'people.spec.ts', 'prompts.spec.ts']

test.use({ runsOn: ['Chromium'] })

test('the tests in docs/testing-your-app.md pass against latchkey dev, 110 others on four workers, and nobody is left', async () => {
  test.slow()
  const app = await serveNotes()
  const [port, asPort] = [await freePort(), await freePort()]
  const folder = await install()
  const place = (file: string, path: string, changes: Record<string, string>) =>
    writeFileSync(join(folder, path), readSnippet(`testing/${file}`, changes))
  place('latchkey.json', 'latchkey.json', { 5173: `${app.port}` })
  place('playwright.config.ts', 'playwright.config.ts', { 5173: `${app.port}`, 3002: `${asPort}` })
  for (const file of documented) place(file, `tests/${file}`, {})
  place('notes.test.mjs', 'notes.test.mjs', { 5173: `${app.port}` })
  writeFileSync(join(folder, 'tests/many.spec.ts'), many)
  writeFileSync(join(folder, 'here.config.ts'), here)
  const secret = 'of-the-app-in-the-tests-of-its-tests'
  writeFileSync(join(folder, '.env.local'), `LATCHKEY_CLIENT_SECRET=${secret}\n`)
  app.configure({ issuer: `http://localhost:${port}`, clientId: 'notes', clientSecret: secret })

  const program = resolve('build/latchkey.mjs')
  const words = [program, 'dev', '--port', `${port}`, '--as-port', `${asPort}`, '--json']
  const dev = spawn(process.execPath, words, { cwd: folder, env })
  killOnExit(dev)
  for await (const line of createInterface(dev.stdout)) if (line.startsWith('{')) break

  const http = await run(process.execPath, ['--test', 'notes.test.mjs'], { cwd: folder, env })
  expect(http.stdout).toContain('# pass 1\n')
  const playwright = [resolve('node_modules/playwright/cli.js'), 'test', '--config', 'here.config.ts']
  const { stdout } = await run(process.execPath, playwright, { cwd: folder, env }).catch((error) => error)
  expect(stdout).toContain('119 passed')

  await endProcess(dev, 'SIGINT')
  const list = await run(process.execPath, [program, 'dev', 'accounts', 'list', '--json'], { cwd: folder, env })
  const { accounts } = JSON.parse(list.stdout) as { accounts: { username: string }[] }
  expect(accounts.map(({ username }) => username).toSorted()).toEqual(['ada', 'ben'])
  await app.close()
})

/** @returns a folder with the kit as its package has it, and what that takes */
async function install(): Promise<string> {
  const folder = temporaryFolder('tests of an app')
  const kit = join(folder, 'node_modules/latchkey-kit')
  mkdirSync(join(folder, 'tests'))
  mkdirSync(kit, { recursive: true })
  cpSync('packages/kit/package.json', join(kit, 'package.json'))
  const compile = ['node_modules/typescript/bin/tsc', '-p', 'packages/kit', '--outDir', join(kit, 'dist')]
  await run(process.execPath, compile)
  for (const name of ['@playwright', 'playwright', 'playwright-core', 'jose', 'openid-client'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  return folder
}

const many = `
import { expect, test } from 'latchkey-kit/playwright'
import { createPerson } from 'latchkey-kit/testing'

for (let index = 0; index < 110; index++)
  test('person ' + index, async ({ person }) => {
    const { groups } = await person({ groups: ['staff'] })
    expect(groups).toEqual(['staff'])
  })

test('the key and the people of latchkey dev are for its own address', async ({ person, signIn }) => {
  await expect(signIn('grace')).rejects.toThrow(/there are ada, ben/)
  const elsewhere = { url: 'http://localhost:1' }
  await expect(createPerson({ groups: ['staff'], latchkey: elsewhere })).rejects.toThrow(/takes an operator's key/)
})

test.describe(() => {
  test.use({ latchkey: { url: 'http://localhost:1' } })
  test('and nobody of it is elsewhere', async ({ signIn }) => {
    await expect(signIn('ada')).rejects.toThrow(/not at http:.+localhost:1. Use sharedPerson there/)
  })
})
`

/** What this machine needs beside the documented configuration. */
const here = `
import documented from './playwright.config'

export default {
  ...documented,
  fullyParallel: true,
  workers: 4,
  // Beside other tests, a machine takes its time.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: 'dot',
  use: { ...documented.use, launchOptions: ${JSON.stringify(headlessShellOptions())} },
}
`
