import { once } from 'node:events'
import { connect } from 'node:net'
import { PASSWORD, randomName, signInWithPassword, signUp, signUpWithPasskey } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { Client } from '../support/client'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import type { Server } from '../support/server'

const CLIENTS = 6
const BEFORE_KILL = 8

type Acknowledged = { username: string; token: string; byPasskey: boolean }

/** Makes accounts until the connection breaks: what was under way then was not acknowledged. */
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

test('killed four times while accounts are being made, nothing acknowledged is lost', async ({ start }) => {
  test.slow()
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const acknowledged: Acknowledged[] = []
  for (let life = 1; life <= 4; life += 1) {
    const onMade = async (made: Acknowledged) => {
      acknowledged.push(made)
      if (acknowledged.length >= life * BEFORE_KILL) await server.kill('SIGKILL')
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => makeAccounts(server, index % 3 === 0, onMade)))
    await server.restart()
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(4 * BEFORE_KILL)
  for (const { username, token, byPasskey } of acknowledged) {
    expect((await expectSignedIn(new Client(server, { bearer: token }))).username).toBe(username)
    if (!byPasskey) expect((await signInWithPassword(new Client(server), username)).status, username).toBe(200)
  }
})

test('SIGTERM answers what has arrived, and then the port is closed', async ({ start }) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const signUps = Array.from({ length: 12 }, () =>
    new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD }),
  )
  await Promise.race(signUps)
  const begun = Date.now()
  const [exit, ...answers] = await Promise.all([server.kill('SIGTERM'), ...signUps])
  expect(Date.now() - begun).toBeLessThan(10_000)
  expect(exit).toEqual({ code: 0, signal: null })
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201))
  await expect(new Client(server).post('/api/i')).rejects.toThrow(/ECONNREFUSED/)
})

/** What a client may leave on a connection that it holds, and never end; without a request there is nothing to wait for. */
const UNENDING = [
  { what: 'that says nothing, as a browser opens ahead of need', bytes: '', codes: [0] },
  { what: 'in the middle of its headers', bytes: 'POST /api/i HTTP/1.1\r\nHost: loc', codes: [0] },
  {
    what: 'in the middle of a body',
    bytes:
      'POST /api/signup HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\nHost: localhost\r\n\r\n{',
    codes: [0, 1],
  },
  {
    what: 'that asked for a WebSocket',
    bytes: 'GET /nothing-here HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    codes: [0],
  },
]

for (const { what, bytes, codes } of UNENDING) {
  test(`a connection ${what} keeps SIGTERM from no orderly end within ten seconds`, async ({ start }) => {
    const server = await start()
    // Next prepares itself, for WebSockets too, when it is first asked.
    await new Client(server).post('/', undefined, { method: 'GET' })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    // The server has seen that connection when it has answered one that came later.
    await new Client(server).post('/api/i')
    const begun = Date.now()
    expect(codes).toContain((await server.kill('SIGTERM')).code)
    expect(Date.now() - begun).toBeLessThan(10_000)
    socket.destroy()
  })
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`an idle server ends at once on ${signal}`, async ({ start }) => {
    const server = await start()
    await signUp(new Client(server))
    const begun = Date.now()
    expect(await server.kill(signal)).toEqual({ code: 0, signal: null })
    expect(Date.now() - begun).toBeLessThan(3000)
  })
}
