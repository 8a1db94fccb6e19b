import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'playwright/test'
import { latchkey, requireUser } from '../../../packages/kit/src/express'
import { exchange, rawRequest } from '../../support/network/raw-http'

test('latchkey-kit/express lets nobody on whose request it cannot read, whatever another middleware has set', async () => {
  const guards = [latchkey(), requireUser(), requireUser({ group: 'family' })]
  for (const user of [null, { id: 'x', username: 'x', name: 'x', email: null, groups: [] }])
    for (const guard of guards) {
      const server = createServer((request, response) => {
        void guard(Object.assign(request, { user }), response, () => response.end('let on'))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const requests = [
        rawRequest('GET', 'http://x/notes'),
        rawRequest('GET', '/', { Host: 'a:99999' }),
        rawRequest('TRACE', '/'),
      ]
      for (const request of requests) expect(await exchange(port, request)).toMatch(/^HTTP\/1\.1 400 /)
      server.close()
    }
})

test('latchkey-kit/express answers 413 to a logout token that is too long, and serves the connection on', async () => {
  const guard = latchkey({
    issuer: 'http://localhost:1',
    clientId: 'notes',
    clientSecret: 'secret',
    sessionSecret: 'a-secret-of-this-app-alone-of-32-characters',
    store: { get: async () => undefined, set: async () => undefined },
  })
  const server = createServer((request, response) => {
    void guard(request, response, () => response.end('let on'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const long = rawRequest(
    'POST',
    '/auth/back-channel',
    { Host: 'localhost', Connection: 'keep-alive' },
    'x'.repeat(500_000),
  )
  const answers = await exchange(port, long + rawRequest('GET', '/notes', { Host: 'localhost' }))
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  expect(answers).toContain('let on')
  server.close()
})
