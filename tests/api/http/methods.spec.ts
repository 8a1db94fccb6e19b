import { expect, test } from '../../support/fixtures'
import { exchange, headersOf, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'
import { logSinceReady } from '../../support/server/server-log'

const known = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const unknown = ['TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'NONSENSE', 'get']

async function expectRejected(server: Server, method: string, path: string, allow?: string) {
  const response = await exchange(server.port, rawRequest(method, path))
  expect(statusOf(response), `${method} ${path}\n${response}`).toBe(405)
  const given = headersOf(response).allow?.join(', ')
  expect(given, `${method} ${path}`).toMatch(/^[A-Z, ]+$/)
  if (allow !== undefined) expect(given, `${method} ${path}`).toBe(allow)
}

for (const mode of ['node', 'next'] as const) {
  test(`${mode} answers methods other than GET and HEAD with 405 on Latchkey's pages and on files`, {
    tag: '@pages',
  }, async ({ start }) => {
    const server = await start({ mode })
    // Next itself gives files the right Allow with status 500; Vercel serves them without it.
    const files = mode === 'node' ? ['/robots.txt', '/r%6Fbots.txt', '/_next/static/nowhere.js'] : []
    for (const method of known) {
      for (const path of ['/', '/signin', '/signin?next=/', '/signup', '/profile', '/passkeys', ...files]) {
        await expectRejected(server, method, path, 'GET, HEAD')
      }
    }
    expect(server.output()).not.toMatch(/\n +at /)
  })
}

test('TRACE and unknown methods are 405 on every path, and leave nothing in the log', { tag: '@pages' }, async ({
  start,
}) => {
  const server = await start({ mode: 'node' })
  const paths = [
    '/',
    '/signin',
    '/nowhere',
    '/robots.txt',
    '/_next/x.js',
    '/api/i',
    '/api/health',
    '/api/x',
    '/api/%zz',
  ]
  for (const method of unknown) for (const path of paths) await expectRejected(server, method, path)
  await expectRejected(server, 'TRACE', '/api/i', 'POST')
  await expectRejected(server, 'TRACE', '/signin', 'GET, HEAD')
  expect(await logSinceReady(server)).toBe('')
})

test('CONNECT is 405 and closes the connection, also after a reset', async ({ start }) => {
  const server = await start()
  for (const target of ['evil.example:443', 'localhost:80']) await expectRejected(server, 'CONNECT', target)
  for (let time = 0; time < 20; time += 1) await sendAndReset(server.port, rawRequest('CONNECT', 'localhost:80'))
  expect(statusOf(await exchange(server.port, rawRequest('GET', '/api/health')))).toBe(200)
  expect(await logSinceReady(server)).toBe('')
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a path where there is nothing answers 405 to whatever may have a body, without reading it', {
  tag: '@pages',
}, async ({ server }) => {
  for (const path of ['/nothing', '/nothing.txt', '/_next/nothing', '/signin/nothing', '/x/../signin']) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      // The body never comes, and neither may end the connection: the answer is what does.
      const request = rawRequest(method, path, { 'Content-Length': '9000000' })
      expect(statusOf(await exchange(server.port, request)), `${method} ${path}`).toBe(405)
    }
  }
})

test('a path below /api that leads out of it is answered 404 by the endpoints with every method that a route may have, without reading a body', {
  tag: '@pages',
}, async ({ server }) => {
  for (const path of ['/api/../signin', '/api/%2E%2e/signin', '/%61pi/x/..\\..\\nothing', '/api/nowhere/']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await exchange(server.port, rawRequest(method, path, { 'Content-Length': '900000' }))
      expect(statusOf(response), `${method} ${path}`).toBe(404)
      expect(response, `${method} ${path}`).toContain('"not_found"')
    }
  }
})
