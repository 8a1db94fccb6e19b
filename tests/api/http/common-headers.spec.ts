import { readdirSync } from 'node:fs'
import { expect, test } from '../../support/fixtures'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'

const HSTS = 'max-age=63072000'

/** Expects one of each header, and Strict-Transport-Security as given. @returns the status */
async function expectHeaders(server: Server, bytes: string, hsts: string[] | undefined): Promise<number> {
  const response = await exchange(server.port, bytes)
  const headers = headersOf(response)
  const [request = ''] = bytes.split('\r\n', 1)
  expect(headers['x-content-type-options'], `${request}\n${response}`).toEqual(['nosniff'])
  expect(headers['content-security-policy'], `${request}\n${response}`).toEqual([
    expect.stringContaining("frame-ancestors 'none'"),
  ])
  expect(headers['strict-transport-security'], request).toEqual(hsts)
  return statusOf(response)
}

/** No page at all, or one that loads only our own and runs what carries the nonce of this response. */
const strict =
  /^(default-src 'none'; base-uri 'none'|default-src 'self'; script-src 'self' 'nonce-[^']+' 'strict-dynamic';.*object-src 'none'; base-uri 'none').*frame-ancestors 'none'(; style-src 'sha256-[^']+')?$/

const script = () => `/_next/static/chunks/${readdirSync('.next/static/chunks').find((name) => name.endsWith('.js'))}`

const get = (path: string, headers = {}) => rawRequest('GET', path, headers)
const requests: [status: number, bytes: () => string][] = [
  [200, () => get('/signin')],
  [307, () => get('/profile')],
  [308, () => get('/signin/')],
  [404, () => get('/nowhere')],
  [200, () => get('/robots.txt')],
  [200, () => get(script())],
  [206, () => get(script(), { Range: 'bytes=0-9' })],
  [404, () => get('/_next/static/nowhere.js')],
  [404, () => get('/nowhere.txt')],
  // The image optimiser, which no page uses, would fetch and decode what strangers name.
  [404, () => get('/_next/image?url=%2Fapple-icon.png&w=64&q=75')],
  [405, () => rawRequest('PUT', '/signin')],
  [405, () => get('/api/i')],
  [401, () => rawRequest('POST', '/api/i')],
  [403, () => rawRequest('POST', '/api/i', { Origin: 'https://evil.example' })],
  [404, () => get('/api/nowhere')],
  [200, () => get('/api/health')],
  [200, () => get('/api/openapi.json')],
  [302, () => get('/.well-known/change-password')],
  [404, () => get('/brand/logo')],
  [404, () => get('/%zz')],
]

/** What neither Next nor our own code answers. */
const answeredByNode: [status: number, bytes: string][] = [
  [400, 'GET / HTTP/1.1\r\nbroken\r\n\r\n'],
  [431, rawRequest('GET', '/', { Padding: 'x'.repeat(40_000) })],
  [405, rawRequest('CONNECT', 'localhost:443')],
  [405, rawRequest('NONSENSE', '/')],
  [405, rawRequest('TRACE', '/api/i')],
  [417, rawRequest('POST', '/api/i', { Expect: 'something' })],
  [400, 'POST /api/i HTTP/1.1\r\nConnection: close\r\n\r\n'],
]

/** Files are no pages. What a fork's route might answer keeps the policy of next.config.mjs, and so does our 404 below /api. */
const isExempt = (request: string) => /robots\.txt|_next\/static|\/api\/nowhere/.test(request)

test('every answer of ours that is no file has a strict policy, and every body a type', { tag: '@pages' }, async ({
  server,
}) => {
  const more = [get('/nowhere.html'), get('/nowhere/'), rawRequest('POST', '/signin', { Accept: 'text/html' })]
  for (const request of [...requests.map(([, bytes]) => bytes()), ...more]) {
    const response = await exchange(server.port, request)
    const headers = headersOf(response)
    if (!isExempt(request))
      expect.soft(headers['content-security-policy'], request).toEqual([expect.stringMatching(strict)])
    // A chunked body may be empty.
    const hasBody = !/^(0\r\n)?$/.test(response.slice(response.indexOf('\r\n\r\n') + 4, -2))
    if (hasBody) expect(headers['content-type'] ?? [], response.slice(0, 600)).toHaveLength(1)
  }
})

for (const mode of ['node', 'next'] as const) {
  test(`${mode} sends nosniff, frame-ancestors and HSTS with every response, HSTS for an https origin only @promise`, {
    tag: '@pages',
  }, async ({ start, server }) => {
    const https = await start({ mode, env: { APP_ORIGIN: 'https://id.example' } })
    // Of Next alone operation/node-next-parity.spec.ts tells.
    const http = mode === 'node' ? server : undefined
    for (const [status, bytes] of requests) {
      expect(await expectHeaders(https, bytes(), [HSTS]), bytes()).toBe(status)
      if (http) expect(await expectHeaders(http, bytes(), undefined), bytes()).toBe(status)
    }
    if (mode === 'node')
      for (const [status, bytes] of answeredByNode)
        expect(await expectHeaders(https, bytes, [HSTS]), bytes.slice(0, 60)).toBe(status)
  })
}

test('every status line has the standard reason phrase', async ({ server }) => {
  const own: [line: string, bytes: string][] = [
    ['200 OK', get('/api/health')],
    ['303 See Other', get('/api/access')],
    ['204 No Content', rawRequest('POST', '/api/signout')],
    ['400 Bad Request', rawRequest('POST', '/api/i', { Host: 'a b' })],
    ['401 Unauthorized', rawRequest('POST', '/api/i')],
    ['404 Not Found', get('/api/nowhere')],
    ['405 Method Not Allowed', get('/api/i')],
    ['405 Method Not Allowed', rawRequest('TRACE', '/api/i')],
    ['405 Method Not Allowed', rawRequest('CONNECT', 'localhost:443')],
  ]
  for (const [line, bytes] of own)
    expect.soft(await exchange(server.port, bytes), bytes.slice(0, 60)).toMatch(`HTTP/1.1 ${line}\r\n`)
})
