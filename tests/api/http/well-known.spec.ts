import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'

const read = (client: Client, name: string, method = 'GET') => client.request(method, `/.well-known/${name}`)

test('the well-known URLs say where to change the password, and where passkeys are added and are good', {
  tag: '@pages',
}, async ({ server, client }) => {
  const change = await read(client, 'change-password')
  expect([change.status, change.headers.location]).toEqual([302, '/profile#password'])

  const endpoints = await read(client, 'passkey-endpoints')
  expect(endpoints.status).toBe(200)
  expect(endpoints.headers['x-content-type-options']).toBe('nosniff')
  expect(endpoints.headers['content-type']).toMatch(/^application\/json(;|$)/)
  expect(endpoints.body).toEqual({ enroll: `${server.origin}/passkeys`, manage: `${server.origin}/passkeys` })

  const related = await read(client, 'webauthn')
  expect(related.status).toBe(200)
  expect(related.headers['content-type']).toMatch(/^application\/json(;|$)/)
  expect(related.body).toEqual({ origins: [] })
})

test('after a move, the new address is the first origin and related to the old one', async ({ start }) => {
  const env = { APP_ORIGIN: 'https://new.example,https://id.old.example', RP_ID: 'old.example' }
  const client = new Client(await start({ env }))
  expect((await read(client, 'webauthn')).body).toEqual({ origins: ['https://new.example'] })
  const page = 'https://new.example/passkeys'
  expect((await read(client, 'passkey-endpoints')).body).toEqual({ enroll: page, manage: page })
})

test('well-known URLs answer HEAD like GET, any origin, set no cookie, and reject other methods', {
  tag: '@pages',
}, async ({ another }) => {
  const client = another({ headers: { Origin: 'https://manager.example', 'Sec-Fetch-Site': 'cross-site' } })
  for (const [name, status] of [
    ['change-password', 302],
    ['passkey-endpoints', 200],
    ['webauthn', 200],
  ] as const) {
    const [get, head] = [await read(client, name), await read(client, name, 'HEAD')]
    expect([get.status, head.status, head.text], name).toEqual([status, status, ''])
    for (const header of ['content-type', 'location']) expect(head.headers[header], name).toEqual(get.headers[header])
    expect(get.headers).not.toHaveProperty('set-cookie')
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await read(another(), name, method)).status, name).toBe(405)
  }
})

// Password managers request the second to learn whether the site answers 200 to everything (A Well-Known URL for Changing
// Passwords, section 3.2).
test('an unknown well-known URL is not found', { tag: '@pages' }, async ({ client }) => {
  for (const name of ['nothing-here', 'resource-that-should-not-exist-whose-status-code-should-not-be-200'])
    expect((await read(client, name)).status, name).toBe(404)
})
