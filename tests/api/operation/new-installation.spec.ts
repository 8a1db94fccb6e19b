import { expect, test } from '../../support/fixtures'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'

const files = [
  '.git/HEAD',
  '.env',
  'package.json',
  'server.ts',
  'build/server.mjs',
  'data/jwt-secret',
  'data/latchkey.db',
]
const folders = ['.git/', 'build/', 'data/', 'lib/', 'public/', '_next/', '_next/static/', '_next/static/chunks/']
const ways = ['/', '//', '/./', '/public/../', '/_next/static/../../../', '/_next/static/..%2f..%2f..%2f', '/%2e%2e/']

test('no file of an installation can be fetched, and no folder is listed @promise', { tag: '@pages' }, async ({
  server,
}) => {
  for (const path of [...files, ...folders])
    for (const way of ways) {
      const response = await exchange(server.port, rawRequest('GET', `${way}${path}`))
      expect([308, 400, 404], `${way}${path}\n${response.slice(0, 300)}`).toContain(statusOf(response))
    }
})
