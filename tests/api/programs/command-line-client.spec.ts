import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PASSWORD, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { verifyWithJose } from '../../support/tokens/access-tokens'
import { APP, LATCHKEY, placeSnippet } from '../../support/your-app/snippets'

interface Program {
  /** Where it keeps the session. */
  file: string
  run(words: string[], input?: string): Promise<{ code: number; stdout: string; stderr: string }>
}

const test = base.extend<{ program: Program }>({
  server: async ({ startShared }, use) => use(await startShared({ env: { CLIENT_ORIGINS: APP } })),
  program: async ({ server }, use) => {
    const path = placeSnippet('cli.mjs', { [LATCHKEY]: server.origin })
    const home = temporaryFolder('home')
    await use({ file: join(home, '.notes-session'), run: (words, input) => run(path, home, words, input) })
  },
})

async function run(path: string, HOME: string, words: string[], input = '') {
  const child = spawn(process.execPath, [path, ...words], { env: { ...process.env, HOME } })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => (output[name] += chunk))
  child.stdin.on('error', () => undefined).end(input)
  const [code] = await once(child, 'close')
  return { code, ...output }
}

test('a command-line client says that the password is wrong and keeps nothing, signs in, keeps the session to itself, gets access tokens and signs out', async ({
  server,
  program,
}) => {
  const { id, username } = await signUp(new Client(server))
  const failed = await program.run(['sign-in', username], 'not the password\n')
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('Authentication Failed')])
  expect(existsSync(program.file)).toBe(false)
  // What others may read must not become the session's file.
  writeFileSync(program.file, 'left behind')
  chmodSync(program.file, 0o644)
  const signedIn = await program.run(['sign-in', username], `${PASSWORD}\n`)
  expect(signedIn).toEqual({ code: 0, stdout: '', stderr: 'Password: \n' })
  expect((statSync(program.file).mode & 0o777).toString(8)).toBe('600')
  const bearer = readFileSync(program.file, 'utf8')
  await expectSignedIn(new Client(server, { bearer }))

  const { stdout } = await program.run(['token'])
  expect((await verifyWithJose(server, stdout.trim(), APP)).sub).toBe(id)

  expect((await program.run(['sign-out'])).code).toBe(0)
  expect(existsSync(program.file)).toBe(false)
  await expectSignedOut(new Client(server, { bearer }))
})
