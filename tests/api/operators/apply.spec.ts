import { randomBytes } from 'node:crypto'
import { digestOf } from '@/lib/auth/tokens/tokens'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect, test } from '../../support/network/split-deployment'
import { accounts, accountsJson, accountsWith } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'

const CALLBACK = 'https://budget.example.com/openid/callback'
const random = (what: string) => `${what}-${randomBytes(6).toString('hex')}`

async function createKey(server: Server, ...words: string[]) {
  const { key, secret } = await accountsJson(server, 'key', 'add', random('key'), ...words)
  return { name: key.name as string, client: new Client(server, { bearer: secret }) }
}

const newApp = () => {
  const id = random('app')
  return { id, name: id, redirectUris: [CALLBACK] }
}

test('a key with the areas apps and groups applies a file as the command does, and dump has no secrets', async ({
  server,
}) => {
  const { name, client } = await createKey(server, '--for', 'apps,groups')
  const [app, group] = [newApp(), random('group')]
  const file = { groups: [group], apps: [app] }
  const checked = await client.post('/api/admin/apply', { file, check: true })
  const changes = [
    { action: 'add', kind: 'group', name: group, fields: [] },
    { action: 'add', kind: 'app', name: app.id, fields: [] },
  ]
  expect([checked.status, checked.body]).toEqual([200, { changes, secrets: {} }])
  const applied = await client.post('/api/admin/apply', { file })
  expect([applied.status, applied.body]).toEqual([
    200,
    { changes, secrets: { [app.id]: expect.stringMatching(/^lk_[\w-]{43}$/) } },
  ])
  const again = await client.post('/api/admin/apply', { file })
  expect(again.body).toEqual({ changes: [], secrets: {} })
  const dumped = await client.post('/api/admin/dump', {})
  expect(dumped.body.file.groups).toContain(group)
  expect(dumped.body.file.apps).toContainEqual(app)
  expect(dumped.text).not.toContain('sha256')
  const { log } = await accountsJson(server, 'log', '--by', `key:${name}`)
  expect(log).toHaveLength(2)
  expect(log).toContainEqual(expect.objectContaining({ what: 'app_registered', app: app.id, group: null }))
  expect(log).toContainEqual(expect.objectContaining({ what: 'group_added', app: null, group }))
})

test('a file needs the area trust where a command from afar would, and sets no secret of an app that exists', async ({
  server,
}) => {
  const trusts = await createKey(server, '--for', 'apps,groups,trust')
  const plain = await createKey(server, '--for', 'apps,groups')
  const applies = ({ client }: typeof plain, ...apps: object[]) => client.post('/api/admin/apply', { file: { apps } })
  const [trusted, closed] = [
    { ...newApp(), trusted: true },
    { ...newApp(), requirePasskey: true, groups: ['family'] },
  ]
  expectError(await applies(plain, trusted), 403, 'not_allowed')
  expect((await applies(trusts, trusted, closed)).status).toBe(200)
  const untrusting: object[] = [
    { ...trusted, redirectUris: ['https://evil.example/'] },
    { ...trusted, redirectUris: ['https://evil.example/'], trusted: false },
    { ...closed, requirePasskey: false },
    { ...closed, groups: [] },
    { ...closed, groups: ['family', 'everybody'] },
    { ...closed, trusted: true },
  ]
  for (const app of untrusting) expectError(await applies(plain, app), 403, 'not_allowed')
  const secret = { sha256: digestOf('of somebody else, who would then be the app') }
  for (const key of [plain, trusts]) expectError(await applies(key, { ...closed, secret }), 403, 'not_allowed')
  for (const app of [trusted, closed])
    expect((await accountsJson(server, 'app', 'show', app.id)).app).toMatchObject(app)
  expect((await applies(plain, { ...closed, homeUrl: 'https://budget.example.com/' })).status).toBe(200)
  expect((await applies(trusts, { ...closed, groups: [] })).status).toBe(200)
  expect((await applies(plain, { ...newApp(), secret })).status).toBe(200)
  // A group that has the id of a trusted app changes nothing of the app.
  const file = { groups: [trusted.id], apps: [trusted] }
  expect((await plain.client.post('/api/admin/apply', { file })).status).toBe(200)
})

test('applying a file is a write, unless it only checks', async ({ server }) => {
  const file = { apps: [newApp()] }
  const reads = await createKey(server, '--for', 'apps,groups', '--read-only')
  const { client: session } = await createAdministrator(server)
  session.stepUp = undefined
  for (const client of [reads.client, session])
    expect((await client.post('/api/admin/apply', { file, check: true })).body.changes).toHaveLength(1)
  expectError(await reads.client.post('/api/admin/apply', { file }), 403, 'not_allowed')
  expectError(await session.post('/api/admin/apply', { file }), 403, 'reauthentication_required')
  expect((await accounts(server, 'app', 'show', file.apps[0]?.id ?? '')).code).toBe(1)
})

test('a file that is wrong is answered 400 with what is wrong where, also a secret that would be read at the server', async ({
  server,
}) => {
  const { client } = await createKey(server, '--for', 'apps,groups')
  const app = newApp()
  const wrong: [file: unknown, says: string][] = [
    [{ apps: [{ ...app, redirectUri: CALLBACK }] }, 'apps[0].redirectUri is no field. The nearest is redirectUris.'],
    [{ apps: [{ ...app, secret: { env: 'JWT_SECRET' } }] }, 'apps[0].secret.env is read where the command runs.'],
    [{ apps: [{ ...app, redirectUris: ['http://budget.example.com/'] }] }, 'apps[0].redirectUris: The URI "http:'],
    [{ groups: ['admins'] }, 'groups[0]: no file makes admins'],
    [{ people: [] }, 'people is for a developer'],
    [{ apps: [app, { ...app, id: random('app') }] }, 'apps[1].name:'],
  ]
  for (const [file, says] of wrong) {
    const answer = await client.post('/api/admin/apply', { file })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields.file).toContain(says)
  }
  for (const body of [{}, { file: [] }, { file: {}, prune: 'yes' }, { file: {}, purge: true }])
    expectError(await client.post('/api/admin/apply', body), 400, 'invalid_request')
  expect((await accounts(server, 'app', 'show', app.id)).code).toBe(1)
})

test('a file may have a mebibyte, also behind a front end, and a stranger learns nothing of it', async ({
  splitDeployment: { frontEnd, backend },
}) => {
  const { client } = await createKey(backend, '--for', 'apps,groups')
  const sized = (bytes: number) => {
    const body = { file: { $schema: '' } }
    body.file.$schema = 'x'.repeat(bytes - JSON.stringify(body).length)
    return body
  }
  const mebibyte = 1024 * 1024
  for (const server of [backend, frontEnd]) {
    const key = new Client(server, { bearer: client.options.bearer ?? '' })
    expect((await key.post('/api/admin/apply', sized(mebibyte))).body).toEqual({ changes: [], secrets: {} })
    expectError(await key.post('/api/admin/apply', sized(mebibyte + 1)), 413, 'payload_too_large')
    expectError(await key.post('/api/admin/dump', { padding: 'x'.repeat(70_000) }), 413, 'payload_too_large')
    expectError(await new Client(server).post('/api/admin/apply', sized(mebibyte)), 404, 'not_found')
  }
})

test('accounts apply and dump from afar print what they do beside the database, and read variables where they run', async ({
  server,
}) => {
  const added = await accountsJson(server, 'key', 'add', random('key'), '--for', 'all')
  const far = {
    LATCHKEY_URL: server.origin,
    LATCHKEY_KEY: added.secret,
    ACTUAL_SECRET: randomBytes(32).toString('hex'),
  }
  const [app, made] = [newApp(), newApp()]
  const file = { apps: [{ ...app, secret: { env: 'ACTUAL_SECRET' } }, made] }
  const applies = (settings: object, content: unknown, ...words: string[]) =>
    accountsWith({ ...settings }, ['apply', '-', ...words], JSON.stringify(content))
  const said = `On ${server.origin}:\n`
  const lines = `+ app ${app.id}\n+ app ${made.id}\n`
  expect(await applies(far, file, '--check')).toEqual({ code: 1, stdout: lines, stderr: said })
  const applied = await applies(far, file)
  expect(applied).toMatchObject({ code: 0, stderr: said })
  const [, secret = ''] = /: (lk_[\w-]{43})$/m.exec(applied.stdout) ?? []
  expect(applied.stdout).toBe(`${lines}The secret of ${made.id}, which is shown this once: ${secret}\n`)
  const near = { ...settingsOf(server), ACTUAL_SECRET: far.ACTUAL_SECRET }
  for (const settings of [near, far])
    expect(await applies(settings, file)).toMatchObject({ code: 0, stdout: 'nothing to change\n' })
  expect((await accountsWith(far, ['dump'])).stdout).toBe((await accounts(server, 'dump')).stdout)
  expect((await accountsWith(far, ['dump', '--secrets'])).code).toBe(2)
  const taken = { apps: [{ ...newApp(), name: app.name }] }
  for (const [content, code] of [
    [{ app: [] }, 2],
    [taken, 1],
  ] as const) {
    const [here, there] = [await applies(near, content), await applies(far, content)]
    expect({ ...there, stderr: there.stderr.replace(said, '') }).toEqual({ ...here, code })
  }
})
