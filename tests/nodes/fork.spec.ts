import { randomName, signInWithPassword, signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expectError } from '../support/expectations'
import { test as base, expect } from '../support/fixtures'
import { lacks, needs } from '../support/machine/needs'
import { exchange, rawRequest, statusOf } from '../support/network/raw-http'
import type { Server } from '../support/server/server'
import { startPostgres } from '../support/storage/postgres'
import { storedText } from '../support/storage/stored-text'
import { addedSources, checkOut } from './installation'

const folder = process.env.INSTALLATION ?? ''

const test = base.extend<{ fork: Server; postgresql: boolean }>({
  postgresql: [false, { option: true }],
  fork: async ({ start, postgresql }, use) => {
    const postgres = postgresql ? await startPostgres() : null
    await use(await start({ mode: 'node', folder, env: postgres ? { DATABASE_URL: postgres.createDatabase() } : {} }))
    await postgres?.stop()
  },
})

const call = (client: Client, method: string, path: string, body?: unknown) => client.request(method, path, { body })

test("a fork's page sends a stranger to sign in and shows a signed-in person's name", async ({ fork }) => {
  const stranger = await call(new Client(fork), 'GET', '/notes')
  expect([stranger.status, stranger.headers.location]).toEqual([307, '/signin?next=%2Fnotes'])
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
    if (postgresql) needs('PostgreSQL')

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
  expectError(
    await client.request('PUT', '/api/note', { body: { text: 'x' }, headers: foreign }),
    403,
    'foreign_origin',
  )

  const before = new Client(fork, { bearer: (await signInWithPassword(new Client(fork), username)).body.token })
  expect((await client.post('/api/signout')).status).toBe(204)
  expectError(await call(client, 'PUT', '/api/note', { text: 'x' }), 401, 'not_signed_in')
  expect((await call(before, 'PUT', '/api/note', { text: 'x' })).status).toBe(200)
})

test("a fork's code passes the check, and its migrations create exactly the databases that its schemas describe", () => {
  const installation = checkOut(Number.parseInt(process.versions.node, 10), folder)
  installation.addTools()
  installation.run('node', ['node_modules/typescript/bin/tsc'])
  installation.run('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...addedSources])
  const words = ['node_modules/playwright/cli.js', 'test', '--project=unit', '--reporter=line', 'migrations']
  words.push('-g', 'create exactly')
  const output = installation.run('node', words, { PATH: `${installation.programs}:${process.env.PATH}` })
  expect(output).toContain(lacks('PostgreSQL') ? '1 passed' : '2 passed')
  installation.remove()
})

test("a fork's page takes a body of a mebibyte, and answers 413 to more", async ({ fork }) => {
  const send = async (headers: Record<string, string>, body: string) =>
    statusOf(await exchange(fork.port, rawRequest('POST', '/notes', headers, body)))
  const fits = 'x'.repeat(1024 * 1024)
  // Without a session, the page sends a stranger to sign in.
  expect(await send({}, fits)).toBe(307)
  expect(await send({ 'Content-Length': String(fits.length + 1) }, '')).toBe(413)
  const chunk = `${fits.length.toString(16)}\r\n${fits}\r\n`
  const chunked = 'POST /notes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(statusOf(await exchange(fork.port, `${chunked}${chunk}1\r\nx\r\n`))).toBe(413)
  expect(statusOf(await exchange(fork.port, `${chunked}${chunk}0\r\n\r\n`))).toBe(307)
})

test("what Next says of a fork's request is one line of the log, without control characters and not too long", async ({
  fork,
}) => {
  const client = new Client(fork)
  await signUp(client)
  const before = fork.output()
  const action = `evil\u009b${'x'.repeat(9_000)}`
  await client.post('/notes', undefined, { headers: { 'Next-Action': action } })
  // The line of the sign-up may arrive after its answer.
  const written = () => fork.output().slice(before.length).split('\n')
  const lines = () => written().filter((line) => line !== '' && !line.includes('"event"'))
  await expect.poll(() => lines().length).toBeGreaterThan(0)
  expect(lines()).toHaveLength(1)
  const [line = ''] = lines()
  expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), msg: expect.any(String) })
  expect(line.length).toBeLessThan(3_000)
  expect(line).not.toMatch(/\p{Cc}/u)
})
