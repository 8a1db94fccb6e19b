import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { databaseFile } from '@/lib/settings/deployment'
import { signInWithPassword, signUp, signUpWithPasskey, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { untilClosed } from '../../support/machine/ports'
import { beginRequest, rawRequest } from '../../support/network/raw-http'
import { startReceiver } from '../../support/network/receiver'
import { newSecret } from '../../support/network/webhooks'
import type { Server } from '../../support/server/server'
import { readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const CLIENTS = 6
const BEFORE_KILL = 6

type Acknowledged = { username: string; token: string; byPasskey: boolean }

/** Creates accounts until the connection breaks; the account under way then was not acknowledged. */
async function makeAccounts(server: Server, byPasskey: boolean, onMade: (made: Acknowledged) => Promise<unknown>) {
  const authenticator = new Authenticator(server.origin)
  for (;;) {
    const client = new Client(server)
    const making = byPasskey ? signUpWithPasskey(client, authenticator) : signUp(client)
    const made = await making.catch(() => undefined)
    if (!made) return
    await onMade({ username: made.username, token: made.token, byPasskey })
  }
}

for (const { kills, ...details } of [{ kills: 2 }, { kills: 8, tag: '@long' }]) {
  test(
    `every acknowledged account survives ${kills} kills amid sign-ups @storage @promise`,
    details,
    async ({ start }) => {
      test.setTimeout(60_000 * kills)
      const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
      const acknowledged: Acknowledged[] = []
      for (let life = 1; life <= kills; life += 1) {
        const onMade = async (made: Acknowledged) => {
          acknowledged.push(made)
          if (acknowledged.length >= life * BEFORE_KILL) await server.kill('SIGKILL')
        }
        await Promise.all(Array.from({ length: CLIENTS }, (_, index) => makeAccounts(server, index % 3 === 0, onMade)))
        await server.restart()
      }
      expect(acknowledged.length).toBeGreaterThanOrEqual(kills * BEFORE_KILL)
      for (const { username, token, byPasskey } of acknowledged) {
        expect((await expectSignedIn(new Client(server, { bearer: token }))).username).toBe(username)
        if (!byPasskey) expect((await signInWithPassword(new Client(server), username)).status, username).toBe(200)
      }
    },
  )
}

/** Opens a connection, writes to it and leaves it open. */
async function leaveOpen(server: Server, bytes: string) {
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

/** A request whose body never arrives. */
const halfSent = rawRequest('POST', '/api/signup', { 'Content-Type': 'application/json', 'Content-Length': '99' }, '{')

/** Sends SIGTERM and expects the server to exit within ten seconds. @returns the exit code */
async function expectShutdown(server: Server) {
  // The server has seen the connections once it answers one that came later.
  await new Client(server).post('/api/i')
  const begun = Date.now()
  const { code } = await server.kill('SIGTERM')
  expect(Date.now() - begun).toBeLessThan(10_000)
  return code
}

test('an idle server exits at once on SIGTERM, with a failed sign-in that it has just answered among the events', async ({
  start,
}) => {
  const server = await start()
  const client = new Client(server)
  const { username } = await signUp(client)
  await signInWithPassword(new Client(server), username, WRONG_PASSWORD)
  const begun = Date.now()
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(Date.now() - begun).toBeLessThan(5000)
  await server.restart()
  const { body } = await client.post('/api/i/events', { kind: 'sign_ins' })
  expect(body.events).toContainEqual(expect.objectContaining({ type: 'signin_failed' }))
})

test('SIGTERM closes the port and connections that have sent no complete request at once, and lets requests under way finish', async ({
  start,
}) => {
  const server = await start()
  const silent = [await leaveOpen(server, ''), await leaveOpen(server, 'POST /api/i HTTP/1.1\r\nHost: loc')]
  const closed = Promise.all(silent.map((socket) => once(socket.resume(), 'close')))
  const last = await beginRequest(server.port, '/api/auth/login/options', {})
  const exit = server.kill('SIGTERM')
  await Promise.all([closed, untilClosed(server.port)])
  expect(await last.finish()).toBe(200)
  expect(await exit).toEqual({ code: 0, signal: null })
})

test('while a request body never arrives and receivers hang, SIGTERM ends a server, which writes what it has counted', async ({
  start,
}) => {
  const receiver = await startReceiver(() => {})
  const server = await start({
    env: { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: newSecret(), OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
  })
  await signUp(new Client(server))
  await expect.poll(() => receiver.received.map(({ path }) => path)).toContain('/hooks')
  await leaveOpen(server, halfSent)
  for (let time = 0; time < 2; time += 1) await new Client(server).post('/api/i')
  expect(await expectShutdown(server)).toBe(0)
  // One request has a line of its own, and the others one together.
  expect(server.output().match(/"event":"not_signed_in".*"count":\d/g)).toEqual([
    expect.stringMatching(/"count":1$/),
    expect.stringMatching(/"count":2$/),
  ])
  // The message is due at once.
  expect(
    readSql(server.databaseUrl, `SELECT 1 FROM "Delivery" WHERE "attempts" = 0 AND "dueAt" <= ${Date.now()}`),
  ).toEqual(['1'])
  await receiver.stop()
})

test('SIGTERM ends a server after a connection asked for a WebSocket', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ mode: 'node' })
  // Next sets up its WebSocket handling at the first request for a page.
  await new Client(server).get('/')
  await leaveOpen(
    server,
    'GET /nothing-here HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expect(await expectShutdown(server)).toBe(0)
})

test('a server that nobody has used has no account, exits on SIGINT, and leaves its whole database in one file', async ({
  start,
}) => {
  const server = await start()
  const log = `${databaseFile(server.databaseUrl)}-wal`
  expect(existsSync(log)).toBe(true)
  expect(await server.kill('SIGINT')).toEqual({ code: 0, signal: null })
  expect(existsSync(log)).toBe(false)
  expect(readSql(server.databaseUrl, 'SELECT count(*) FROM "User"')).toEqual(['0'])
})
