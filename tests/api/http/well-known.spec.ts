import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'

const read = (client: Client, name: string, method = 'GET') => client.request(method, `/.well-known/${name}`)

for (const mode of ['node', 'next'] as const) {
  test(`${mode} answers the well-known URLs`, { tag: '@pages' }, async ({ start }) => {
    const server = await start({ mode })
    const client = new Client(server)
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
}

test('Next without server.ts names its first origin as its own and the others as related', { tag: '@pages' }, async ({
  start,
}) => {
  const origins = ['https://one.example', 'https://two.example:8443', 'https://three.example']
  const client = new Client(await start({ mode: 'next', env: { APP_ORIGIN: origins.join(',') } }))
  const page = `${origins[0]}/passkeys`
  expect((await read(client, 'passkey-endpoints')).body).toEqual({ enroll: page, manage: page })
  expect((await read(client, 'webauthn')).body).toEqual({ origins: origins.slice(1) })
})

test('after a move, the new address is the first origin and related to the old one', async ({ start }) => {
  const env = { APP_ORIGIN: 'https://new.example,https://id.old.example', RP_ID: 'old.example' }
  const client = new Client(await start({ env }))
  expect((await read(client, 'webauthn')).body).toEqual({ origins: ['https://new.example'] })
  const page = 'https://new.example/passkeys'
  expect((await read(client, 'passkey-endpoints')).body).toEqual({ enroll: page, manage: page })
})

test('well-known URLs answer HEAD like GET, without a body', { tag: '@pages' }, async ({ client }) => {
  for (const name of ['change-password', 'passkey-endpoints', 'webauthn']) {
    const [get, head] = [await read(client, name), await read(client, name, 'HEAD')]
    expect([head.status, head.text], name).toEqual([get.status, ''])
    for (const header of ['content-type', 'location']) expect(head.headers[header], name).toEqual(get.headers[header])
  }
})

test('well-known URLs answer any origin and set no cookie', { tag: '@pages' }, async ({ another }) => {
  const client = another({ headers: { Origin: 'https://manager.example', 'Sec-Fetch-Site': 'cross-site' } })
  for (const [name, status] of [
    ['change-password', 302],
    ['passkey-endpoints', 200],
    ['webauthn', 200],
  ] as const) {
    const answer = await read(client, name)
    expect(answer.status, name).toBe(status)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  }
})

test('well-known URLs reject other methods', { tag: '@pages' }, async ({ client }) => {
  for (const name of ['change-password', 'passkey-endpoints', 'webauthn']) {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await read(client, name, method)).status, name).toBe(405)
  }
})

// Password managers request the second to learn whether the site answers 200 to everything (A Well-Known URL for Changing
// Passwords, section 3.2).
for (const name of ['nothing-here', 'resource-that-should-not-exist-whose-status-code-should-not-be-200']) {
  test(`/.well-known/${name} is not found`, { tag: '@pages' }, async ({ client }) => {
    expect((await read(client, name)).status).toBe(404)
  })
}
