import { connect } from 'node:net'
import { PASSWORD, randomName, signInWithPassword, signUp } from '../../support/accounts'
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
import { logSinceReady } from '../../support/server/server-log'

/** A preload by which a signal makes the server's process fail outside of any request. */
function failingOnSignal(statement: string): string {
  const code = `process.on('SIGUSR2', () => { ${statement} })`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

/** The lines that the server has logged since, once there is one. */
async function logged(server: Server, before: string): Promise<string[]> {
  await expect.poll(() => server.output().length).toBeGreaterThan(before.length)
  return server.output().slice(before.length).trim().split('\n')
}

for (const mode of ['api-only', 'node'] as const) {
  const tag = mode === 'node' ? ['@pages'] : []

  test(`${mode} logs a rejection that nobody handles in one line and keeps serving, so that strangers cannot stop it @promise`, {
    tag,
  }, async ({ start }) => {
    const env = { NODE_OPTIONS: failingOnSignal("Promise.reject(new Error('planted'))") }
    const server = await start({ mode, env })
    // Next adds listeners of its own with the first page.
    await exchange(server.port, rawRequest('GET', '/'))
    const before = server.output()
    process.kill(server.pid(), 'SIGUSR2')
    const lines = await logged(server, before)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 50, err: { message: 'planted' } })
    expect((await new Client(server).post('/api/i')).status).toBe(401)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test(`${mode} logs an exception that nobody catches in one line, finishes its requests and exits with 1`, {
    tag,
  }, async ({ start }) => {
    const env = { NODE_OPTIONS: failingOnSignal("setImmediate(() => { throw new Error('planted') })") }
    const server = await start({ mode, env })
    await exchange(server.port, rawRequest('GET', '/'))
    // The first hash starts a thread, which takes part of the five seconds that the shutdown leaves.
    await signUp(new Client(server))
    const last = await beginRequest(server.port, '/api/signup', { username: randomName(), password: PASSWORD })
    const exit = server.kill('SIGUSR2')
    await untilClosed(server.port)
    expect(await last.finish()).toBe(201)
    expect(await exit).toEqual({ code: 1, signal: null })
    const written = server.output().trim().split('\n')
    const lines = written.filter((line) => !line.includes('Latchkey is ready') && !line.includes('account_created'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 60, err: { message: 'planted' } })
  })
}

test('an exception that nobody catches during a shutdown is logged, and the server exits with 1', async ({ start }) => {
  const server = await start({ env: { NODE_OPTIONS: failingOnSignal("throw new Error('planted')") } })
  const socket = connect(server.port, '127.0.0.1')
  // The last response keeps the shutdown waiting.
  socket.write(rawRequest('POST', '/api/signup', { 'Content-Type': 'application/json', 'Content-Length': '99' }, '{'))
  await new Client(server).post('/api/i')
  const before = server.output()
  const exit = server.kill('SIGTERM')
  await untilClosed(server.port)
  process.kill(server.pid(), 'SIGUSR2')
  const [line = ''] = await logged(server, before)
  socket.destroy()
  expect(JSON.parse(line)).toMatchObject({ level: 60, err: { message: 'planted' } })
  expect(await exit).toEqual({ code: 1, signal: null })
})

test('connections that cannot be accepted are logged, each of them, and end nothing', async ({ start }) => {
  const fail = `
    for (const server of process._getActiveHandles())
      if (server.listening) server.emit('error', new Error('accept ENOMEM'))`
  const server = await start({ mode: 'api-only', env: { NODE_OPTIONS: failingOnSignal(fail) } })
  for (let time = 0; time < 2; time += 1) {
    const before = server.output()
    process.kill(server.pid(), 'SIGUSR2')
    const lines = await logged(server, before)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, err: { message: 'accept ENOMEM' } }])
  }
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a value that was thrown is not logged unless it is an error', async ({ start }) => {
  const server = await start({ env: { NODE_OPTIONS: failingOnSignal("Promise.reject({ token: 'very secret' })") } })
  const before = server.output()
  process.kill(server.pid(), 'SIGUSR2')
  expect((await logged(server, before)).join()).toContain('object thrown')
  expect(await logSinceReady(server)).not.toContain('very secret')
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

test('clients that reset their connections do not end the server', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ mode: 'node' })
  const paths = ['/', '/signin', '/profile', '/nowhere', '/robots.txt', '/api/health']
  for (let time = 0; time < 20; time += 1) {
    await Promise.all(paths.map((path) => sendAndReset(server.port, rawRequest('GET', path))))
  }
  expect((await new Client(server).post('/api/i')).status).toBe(401)
  expect(await logSinceReady(server)).not.toMatch(/unhandled|uncaught/)
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
