import { execFileSync } from 'node:child_process'
import { randomName, signInWithPassword, signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expectError } from '../support/expectations'
import { test as base, expect } from '../support/fixtures'
import { findPostgres, startPostgres } from '../support/postgres'
import { type Server, storedText } from '../support/server'

const folder = process.env.FORK ?? ''
const withoutPostgres = findPostgres() === null && process.env.CI === undefined

const test = base.extend<{ fork: Server; postgresql: boolean }>({
  postgresql: [false, { option: true }],
  fork: async ({ start, postgresql }, use) => {
    const postgres = postgresql ? await startPostgres() : null
    await use(await start({ mode: 'node', folder, env: postgres ? { DATABASE_URL: postgres.createDatabase() } : {} }))
    await postgres?.stop()
  },
})

const call = (client: Client, method: string, path: string, body?: unknown) => client.post(path, body, { method })

test("a fork's page sends a stranger to sign in and shows a signed-in person's name", async ({ fork }) => {
  const stranger = await call(new Client(fork), 'GET', '/notes')
  expect([stranger.status, stranger.headers.location]).toEqual([307, '/signin?next=/notes'])
  const client = new Client(fork)
  const { username } = await signUp(client)
  const page = await call(client, 'GET', '/notes')
  expect(page.status).toBe(200)
  expect(page.text).toContain(`Notes of <!-- -->${username}`)
  expect(page.headers['content-security-policy']).toContain("'nonce-")
})

for (const postgresql of [false, true]) {
  test.describe(postgresql ? 'on PostgreSQL' : 'on SQLite', () => {
    test.use({ postgresql })
    test.skip(postgresql && withoutPostgres)

    test(`a fork's route keeps a field for each account on ${postgresql ? 'PostgreSQL' : 'SQLite'}, until the account is deleted`, async ({
      fork,
    }) => {
      const secret = randomName()
      const client = new Client(fork)
      await signUp(client)
      const another = new Client(fork)
      await signUp(another)
      expect((await call(client, 'GET', '/api/note')).body).toEqual({ text: '' })
      for (const text of ['first', secret])
        expect((await call(client, 'PUT', '/api/note', { text })).body).toEqual({ text })
      expect((await call(client, 'GET', '/api/note')).body).toEqual({ text: secret })
      expect((await call(another, 'GET', '/api/note')).body).toEqual({ text: '' })
      expect(storedText(fork)).toContain(secret)

      expect((await client.post('/api/i/delete')).status).toBe(204)
      // SQLite's write-ahead log keeps older pages until it is written back.
      await fork.kill('SIGTERM')
      expect(storedText(fork)).not.toContain(secret)
    })
  })
}

test("a fork's route rejects whom and what an endpoint of Latchkey's rejects", async ({ fork }) => {
  const client = new Client(fork)
  const { username } = await signUp(client)
  for (const [method, body] of [['GET'], ['PUT', { text: 'x' }]] as const)
    expectError(await call(new Client(fork), method, '/api/note', body), 401, 'not_signed_in')
  expectError(await call(client, 'PUT', '/api/note', { text: 1 }), 400, 'invalid_request')
  const foreign = { Origin: 'https://evil.example' }
  expectError(await client.post('/api/note', { text: 'x' }, { method: 'PUT', headers: foreign }), 403, 'foreign_origin')

  const before = new Client(fork, { bearer: (await signInWithPassword(new Client(fork), username)).body.token })
  expect((await client.post('/api/signout')).status).toBe(204)
  expectError(await call(client, 'PUT', '/api/note', { text: 'x' }), 401, 'not_signed_in')
  expect((await call(before, 'PUT', '/api/note', { text: 'x' })).status).toBe(200)
})

test("a fork's migrations create exactly the databases that its schemas describe", () => {
  const words = [
    'node_modules/playwright/cli.js',
    'test',
    '--project=unit',
    '--reporter=line',
    'migrations',
    '-g',
    'create exactly|schemas differ',
  ]
  const output = execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  expect(output).toMatch(/\d+ passed/)
})
