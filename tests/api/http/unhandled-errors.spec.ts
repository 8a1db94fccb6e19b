import { connect } from 'node:net'
import { randomName, signInWithPassword } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { untilClosed } from '../../support/machine/ports'
import {
  beginAndReset,
  beginRequest,
  exchange,
  rawRequest,
  sendAndReset,
  statusOf,
} from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'
import { logLines, logSinceReady } from '../../support/server/server-log'

/** A preload by which a signal makes the server's process fail outside of any request. */
function failingOnSignal(statement: string, before = ''): string {
  const code = `${before};process.on('SIGUSR2', () => { ${statement} })`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

/** The lines that the server has logged since, once there is one. */
async function logged(server: Server, before: string): Promise<string[]> {
  await expect.poll(() => server.output().length).toBeGreaterThan(before.length)
  return server.output().slice(before.length).trim().split('\n')
}

test('a rejection that nobody handles, a thrown value and a connection that cannot be accepted are a line each, and the server keeps serving, so that strangers cannot stop it @promise', {
  tag: '@pages',
}, async ({ start }) => {
  const failures = `
    globalThis.failures = [
      () => Promise.reject(new Error('planted')),
      () => Promise.reject({ token: 'very secret' }),
      () => process._getActiveHandles().forEach((one) => one.listening && one.emit('error', new Error('accept ENOMEM')))]`
  const server = await start({ env: { NODE_OPTIONS: failingOnSignal('globalThis.failures.shift()()', failures) } })
  // Next adds listeners of its own with the first page.
  await exchange(server.port, rawRequest('GET', '/'))
  for (const line of [
    { level: 50, err: { message: 'planted' } },
    { level: 50, err: { message: 'object thrown' } },
    { level: 40, err: { message: 'accept ENOMEM' } },
  ]) {
    const before = server.output()
    process.kill(server.pid(), 'SIGUSR2')
    const lines = await logged(server, before)
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([line])
    // Which is no rejection, whose own line would come among these.
    expect((await new Client(server).get('/api/health')).status).toBe(200)
  }
  // Nor does a client that resets its connection.
  for (let time = 0; time < 10; time += 1)
    for (const path of ['/', '/signin', '/nowhere', '/robots.txt', '/api/health'])
      await sendAndReset(server.port, rawRequest('GET', path))
  expect((await new Client(server).post('/api/i')).status).toBe(401)
  const log = await logSinceReady(server)
  expect(log).not.toContain('very secret')
  expect(logLines(log).filter(({ level }) => level >= 50)).toHaveLength(2)
})

test('an exception that nobody catches is logged in one line, and the server finishes its requests and exits with 1', {
  tag: '@pages',
}, async ({ start }) => {
  const env = { NODE_OPTIONS: failingOnSignal("setImmediate(() => { throw new Error('planted') })") }
  const server = await start({ env })
  await exchange(server.port, rawRequest('GET', '/'))
  const last = await beginRequest(server.port, '/api/auth/login/options', {})
  const exit = server.kill('SIGUSR2')
  await untilClosed(server.port)
  expect(await last.finish()).toBe(200)
  expect(await exit).toEqual({ code: 1, signal: null })
  const lines = server
    .output()
    .trim()
    .split('\n')
    .filter((line) => !line.includes('Latchkey is ready'))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 60, err: { message: 'planted' } })
})

test('an exception that nobody catches during a shutdown is logged, and the server exits with 1', async ({ start }) => {
  const server = await start({ env: { NODE_OPTIONS: failingOnSignal("throw new Error('planted')") } })
  const socket = connect(server.port, '127.0.0.1')
  // The last response keeps the shutdown waiting.
  socket.write(rawRequest('POST', '/api/signup', { 'Content-Type': 'application/json', 'Content-Length': '99' }, '{'))
  await new Client(server).get('/api/health')
  const before = server.output()
  const exit = server.kill('SIGTERM')
  await untilClosed(server.port)
  process.kill(server.pid(), 'SIGUSR2')
  const [line = ''] = await logged(server, before)
  socket.destroy()
  expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'planted' } })
  expect(await exit).toEqual({ code: 1, signal: null })
})

test('a log on a full disk does not end the server', async ({ start }) => {
  // The lowest free number is the one just closed, so standard output becomes a file that is always full. Only before
  // anything runs: a thread that did it later could close a connection that has got the number meanwhile.
  const code = `
    import { closeSync, openSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      closeSync(1)
      openSync('/dev/full', 'w')
    }`
  const server = await start({ env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` } })
  for (let time = 0; time < 3; time += 1)
    expect((await signInWithPassword(new Client(server), randomName())).status).toBe(401)
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

for (const side of ['server', 'front end of a split deployment']) {
  test(`clients that leave in the middle of an upload leave nothing in the log of a ${side}`, async ({ start }) => {
    const env = { BACKEND_URL: 'http://127.0.0.1:1', APP_ORIGIN: 'http://localhost' }
    const server = await start(side === 'server' ? {} : { env })
    const form = 'application/x-www-form-urlencoded'
    for (const [path, type] of [
      ['/api/signin', 'application/json'],
      ['/api/oauth/token', form],
      ['/api/oauth/userinfo', form],
      ['/api/oauth/logout', form],
      ...(side === 'server' ? [] : [['/api/i', 'text/plain'] as const]),
    ] as const) {
      await beginAndReset(server.port, path, { 'Content-Type': type })
      const next = await exchange(server.port, rawRequest('GET', '/.well-known/passkey-endpoints'))
      expect(statusOf(next), path).toBe(200)
    }
    const lines = (await logSinceReady(server)).split('\n').filter(Boolean)
    // That there is no backend is said once, when the start waits for an answer.
    const others = lines.filter((line) => side === 'server' || !line.includes('no response from the backend'))
    expect(others).toEqual([])
  })
}
