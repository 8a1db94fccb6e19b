import { rows } from '@/lib/api/endpoints'
import { type Area, areas } from '@/lib/api/schemas'
import { createAccount, randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'

const endpoints = rows.flatMap(({ path, caller, rights, body }) =>
  caller === 'administrator' ? [{ path, rights, body }] : [],
)

/** A new key, as a client shows it. */
async function createKey(server: Server, name: string, ...words: string[]) {
  const { secret } = await accountsJson(server, 'key', 'add', name, ...words)
  return { secret, client: new Client(server, { bearer: secret }) }
}

test('each endpoint admits a key that has its areas and no other, whatever else it may @promise', async ({
  server,
}) => {
  const suffix = randomName()
  const byArea = new Map<Area, Client>()
  for (const area of areas) byArea.set(area, (await createKey(server, `${area}-${suffix}`, '--for', area)).client)
  const all = (await createKey(server, `all-${suffix}`, '--for', 'all')).client
  const readOnly = (await createKey(server, `reads-${suffix}`, '--for', 'all,trust', '--read-only')).client
  // A field that no endpoint has: the body is read once the key is admitted.
  const body = { nothing: 'of this name' }
  const refused = { status: 403, code: 'not_allowed' }
  const admitted = { status: 400, code: 'invalid_request' }
  for (const { path, rights } of endpoints) {
    const ask = async (client: Client) => {
      const answer = await client.post(path, body)
      return { status: answer.status, code: answer.body.code }
    }
    for (const [area, client] of byArea) {
      const mayEnter = rights.areas?.every((needed) => needed === area)
      expect(await ask(client), `${path} with ${area}`).toEqual(mayEnter ? admitted : refused)
    }
    const isOpen = rights.areas !== null
    expect(await ask(all), `${path} with all`).toEqual(isOpen ? admitted : refused)
    const reads = isOpen && rights.writes !== true
    expect(await ask(readOnly), `${path} with a key that only reads`).toEqual(reads ? admitted : refused)
  }
})

test('a key that is unknown, malformed, expired or deleted is refused before anything else, whatever cookies come along @promise', async ({
  server,
}) => {
  const { client: administrator } = await createAdministrator(server)
  const name = `ends-${randomName()}`
  const { secret, client } = await createKey(server, name, '--for', 'accounts')
  expect((await client.post('/api/admin/stats', {})).status).toBe(200)
  const refuses = async (bearer: string, headers = {}) => {
    const answer = await administrator.post('/api/admin/stats', 'no body', {
      headers: { Authorization: `Bearer ${bearer}`, ...headers },
    })
    expect([answer.status, answer.body.code], bearer).toEqual([401, 'authentication_failed'])
  }
  await refuses(`lko_${'A'.repeat(43)}`)
  await refuses('lko_', { Origin: 'https://evil.example' })
  await refuses(`${secret}A`)
  await refuses(`${secret} ${secret}`)
  executeSql(server.databaseUrl, `UPDATE "OperatorKey" SET "expiresAt" = ${Date.now() - 1000} WHERE "name" = '${name}'`)
  await refuses(secret)
  executeSql(server.databaseUrl, `UPDATE "OperatorKey" SET "expiresAt" = NULL WHERE "name" = '${name}'`)
  expect((await client.post('/api/admin/stats', {})).status).toBe(200)
  await accountsJson(server, 'key', 'delete', name)
  await refuses(secret)
})

test('a key needs no origin, gets no CORS header, opens no account, and is stored as a digest', async ({ server }) => {
  const name = `plain-${randomName()}`
  const { secret, client } = await createKey(server, name, '--for', 'accounts', '--expires', '1h')
  expect(secret).toMatch(/^lko_[\w-]{43}$/)
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const answer = await client.post('/api/admin/stats', {}, { headers: foreign })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.headers).filter((header) => header.startsWith('access-control'))).toEqual([])
  expect((await client.post('/api/i')).status).toBe(401)
  const { keys } = await accountsJson(server, 'key', 'list')
  const key = keys.find((one: { name: string }) => one.name === name)
  expect(key).toMatchObject({ areas: ['accounts'], readOnly: false, by: null })
  expect(Date.parse(key.expiresAt) - Date.parse(key.createdAt)).toBe(3_600_000)
  expect(Date.parse(key.lastUsedAt)).toBeGreaterThan(Date.now() - 120_000)
  expect(JSON.stringify(keys)).not.toContain(secret.slice(4))
})

test('a key changes neither the administrators nor who they are, other groups excepted @promise', async ({
  server,
}) => {
  const { client } = await createKey(server, `most-${randomName()}`, '--for', 'all,trust')
  const { id } = await createAdministrator(server)
  const person = await createAccount(new Client(server))
  const bodies: [path: string, body: object][] = [
    ...['disable', 'enable', 'sign-out', 'delete'].map((path): [string, object] => [`accounts/${path}`, { id }]),
    ['accounts/rename', { id, username: 'mallory' }],
    ['accounts/email', { id, email: 'mallory@example.com' }],
    ['groups/add', { group: 'admins', accounts: [person.id] }],
    ['groups/remove', { group: 'admins', accounts: [id] }],
    ['groups/delete', { group: 'admins' }],
  ]
  for (const [path, body] of bodies) {
    const answer = await client.post(`/api/admin/${path}`, body)
    expect([answer.status, answer.body.code], path).toEqual([403, 'not_allowed'])
  }
  const group = `family-${randomName()}`
  const joined = await client.post('/api/admin/groups/add', { group, accounts: [id, person.id] })
  expect([joined.status, joined.body.members.length]).toEqual([200, 2])
})

test('a key that a session made ends when its maker leaves the administrators or is disabled', async ({ start }) => {
  const server = await start()
  await createAdministrator(server)
  const ways: ((id: string) => Promise<{ code: number | null; stderr: string }>)[] = [
    (id) => accounts(server, 'group', 'remove', 'admins', `id:${id}`),
    (id) => accounts(server, 'disable', `id:${id}`),
  ]
  for (const [index, end] of ways.entries()) {
    const maker = await createAdministrator(server)
    const answer = await maker.client.post('/api/admin/keys/add', { name: `made-${index}`, areas: ['all'] })
    expect(answer.status).toBe(201)
    expect(answer.body.key).toMatchObject({ by: maker.id, areas: areas.filter((area) => area !== 'trust') })
    const client = new Client(server, { bearer: answer.body.secret })
    expect((await client.post('/api/admin/stats', {})).status).toBe(200)
    const link = await maker.client.post('/api/admin/invitations/add', { note: 'for a friend' })
    expect(link.status).toBe(201)
    const { code, stderr } = await end(maker.id)
    expect(code).toBe(0)
    expect(stderr).toContain(`the keys made-${index} and 1 invitation.`)
    expect((await client.post('/api/admin/stats', {})).status).toBe(401)
  }
  expect(await accountsJson(server, 'key', 'list')).toEqual({ keys: [] })
  expect(await accountsJson(server, 'invite', 'list')).toEqual({ invitations: [], after: null })
})

test('only a key for trust lets an app past consent, moves a trusted one, or admits whom its rules keep out', async ({
  server,
}) => {
  const suffix = randomName()
  const { client } = await createKey(server, `apps-${suffix}`, '--for', 'apps')
  const { client: trusted } = await createKey(server, `trust-${suffix}`, '--for', 'apps,trust')
  const redirectUris = ['https://notes.example/cb']
  const add = (one: Client, name: string, given = {}) =>
    one.post('/api/admin/apps/add', { name: `${name}-${suffix}`, redirectUris, ...given })
  expect((await add(client, 'notes', { trusted: true })).status).toBe(403)
  const notes = (await add(client, 'notes', { requirePasskey: true, groups: ['family'] })).body.app.id
  const photos = (await add(trusted, 'photos', { trusted: true })).body.app.id
  const refused = [
    { app: notes, trusted: true },
    { app: notes, requirePasskey: null },
    { app: notes, groups: [] },
    { app: notes, groups: null },
    { app: photos, redirectUris: ['https://evil.example/cb'] },
  ]
  for (const body of refused) {
    const answer = await client.post('/api/admin/apps/change', body)
    expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([403, 'not_allowed'])
  }
  expect((await client.post('/api/admin/apps/change', { app: photos, homeUrl: 'https://a.example' })).status).toBe(200)
  for (const body of refused) expect((await trusted.post('/api/admin/apps/change', body)).status).toBe(200)
})

test('a key makes no secret of an app that exists', async ({ server }) => {
  const suffix = randomName()
  const { client } = await createKey(server, `secrets-${suffix}`, '--for', 'all,trust')
  const spec = { name: `native-${suffix}`, redirectUris: ['http://127.0.0.1/cb'], public: true }
  const { app } = (await client.post('/api/admin/apps/add', spec)).body
  for (const [path, body] of [
    ['/api/admin/apps/change', { app: app.id, public: false }],
    ['/api/admin/apps/new-secret', { app: app.id }],
  ] as const) {
    const answer = await client.post(path, body)
    expect([answer.status, answer.body.code], path).toEqual([403, 'not_allowed'])
  }
  expect((await client.post('/api/admin/apps/show', { app: app.id })).body.app.public).toBe(true)
})

test('what is wrong with a new key, an unknown field and a cursor of another list are told by field', async ({
  server,
}) => {
  const { client } = await createAdministrator(server)
  const fieldsOf = async (path: string, body: object) => {
    const answer = await client.post(`/api/admin/${path}`, body)
    expect(answer.status, JSON.stringify(body)).toBe(400)
    return Object.keys(answer.body.fields)
  }
  const key = { name: 'valid', areas: ['accounts'] }
  expect(await fieldsOf('keys/add', { ...key, name: 'No' })).toEqual(['name'])
  expect(await fieldsOf('keys/add', { ...key, areas: [] })).toEqual(['areas'])
  expect(await fieldsOf('keys/add', { ...key, areas: ['everything'] })).toEqual(['areas.0'])
  for (const expires of ['59m', '367d', '1', 'forever', 90])
    expect(await fieldsOf('keys/add', { ...key, expires })).toEqual(['expires'])
  expect(await fieldsOf('keys/add', { ...key, readonly: true })).toEqual(['readonly'])
  for (const limit of [0, 201, 1.5, '10']) expect(await fieldsOf('accounts', { limit })).toEqual(['limit'])
  expect(await fieldsOf('accounts', { after: 'AAAA' })).toEqual(['after'])
  for (const words of [
    ['add', 'x', '--for', 'everything'],
    ['add', 'x', '--for', 'apps', '--expires', '1m'],
  ])
    expect((await accounts(server, 'key', ...words)).code).toBe(2)
})
