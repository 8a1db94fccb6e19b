import { expect, test } from '../../support/fixtures'
import { exchange, headersOf, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'
import { logSinceReady } from '../../support/server/server-log'

async function expectRejected(server: Server, method: string, path: string, allow?: string) {
  const response = await exchange(server.port, rawRequest(method, path))
  expect(statusOf(response), `${method} ${path}\n${response}`).toBe(405)
  const given = headersOf(response).allow?.join(', ')
  expect(given, `${method} ${path}`).toMatch(/^[A-Z, ]+$/)
  if (allow !== undefined) expect(given, `${method} ${path}`).toBe(allow)
}

test('what is read is 405 for every method but GET and HEAD, TRACE and unknown methods are on every path, and what Next cannot read is 400: none leaves anything in the log', {
  tag: '@pages',
}, async ({ start }) => {
  const server = await start({ mode: 'node' })
  const files = ['/robots.txt', '/r%6Fbots.txt', '/_next/static/nowhere.js']
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const path of ['/', '/signin', '/signin?next=/', '/profile', ...files])
      await expectRejected(server, method, path, 'GET, HEAD')
  for (const method of ['TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'NONSENSE', 'get'])
    for (const path of ['/', '/nowhere', '/robots.txt', '/_next/x.js', '/api/i', '/api/health', '/api/x', '/api/%zz'])
      await expectRejected(server, method, path)
  await expectRejected(server, 'TRACE', '/api/i', 'POST')
  await expectRejected(server, 'TRACE', '/signin', 'GET, HEAD')

  for (const state of ['{bad', '%', '[]', 'x'.repeat(9_000)])
    for (const path of ['/nothing', '/signin', '/_next/nothing']) {
      const headers = { RSC: '1', 'Next-Router-State-Tree': state }
      expect(statusOf(await exchange(server.port, rawRequest('GET', path, headers))), path).toBe(400)
    }
  // A prefetch that no page of ours asks for.
  const headers = { RSC: '1', 'Next-Router-Prefetch': '2' }
  for (const path of ['/nothing', '/_next/nothing', '/signin', '/']) {
    const response = await exchange(server.port, rawRequest('GET', path, headers))
    const [location = path] = headersOf(response).location ?? []
    await exchange(server.port, rawRequest('GET', location, headers))
  }
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
