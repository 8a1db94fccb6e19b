import { gzipSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { createAccount, randomName, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { callback, type Documents, documentOf, keepDocuments, send } from '../../support/openid/documents'
import { test as base, expect } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, expectOAuthError, isConsent, requestOf } from '../../support/openid/requests'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { executeSql, readSql } from '../../support/storage/sql'

const later = { headers: { 'X-Clock-Ahead': String(6 * 60_000) } }
const muchLater = { headers: { 'X-Clock-Ahead': String(25 * 3_600_000) } }

const test = base.extend<{ documents: Documents }>({
  documents: ({ keep }, use) => keepDocuments(keep).then(use),
  server: async ({ documents, startShared }, use) =>
    use(await startShared({ clock: 'movable', env: { ...documents.env, CLIENT_DOCUMENTS: 'any' } })),
})

const appOf = (id: string, redirectUri = callback) => ({ id, name: id, secret: undefined, redirectUri })

/** Registers an API for any app, and answers a request for it. */
async function addApi(server: Server, ...options: string[]) {
  const identifier = `https://${randomName()}.example.com`
  await accountsJson(server, 'api', 'add', 'Notes API', identifier, '--scope', 'read=Read your notes', ...options)
  return { resource: identifier, scope: 'openid profile read' }
}

const countOf = (server: Server, id: string) =>
  Number(readSql(server.databaseUrl, `SELECT COUNT(*) FROM "App" WHERE "id" = '${id}'`)[0])

/** The sentence of a page that leads to no app. */
function faultOf(answer: Answer): string {
  expect(answer.status, answer.text).toBe(400)
  return /invalid_request: ([^<]*)/.exec(answer.text)?.[1] ?? ''
}

test('a client that introduces itself gets a token for the API that its person allows, each time anew, and no more @promise', async ({
  server,
  client,
  documents,
  start,
}) => {
  const { id: sub } = await createAccount(client)
  const wanted = await addApi(server, '--any-app')
  const id = documents.put('/agent.json')
  const host = new URL(id).host
  const flow = new Flow(client, appOf(id))
  const all = { ...wanted, scope: 'openid profile email groups offline_access read' }

  const asked = await flow.ask(all)
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body).toMatchObject({
    app: { name: host, host: 'app.documents.test' },
    document: { name: 'Agent of Documents', isOnDevice: false },
    scopes: ['openid', 'profile', 'email'],
    apis: [{ identifier: wanted.resource, scopes: ['Read your notes'] }],
  })
  const query = flow.toApp(await consent(client, asked))
  // A document that is gone by then changes nothing about what its person allowed.
  documents.put('/agent.json', (_, response) => response.writeHead(404).end())
  const { body } = await flow.exchange(query.get('code') as string)
  expect(body).toMatchObject({ scope: 'openid profile email read', id_token: expect.any(String) })
  expect(body).not.toHaveProperty('refresh_token')
  expect(decodeJwt(body.access_token)).toMatchObject({ sub, aud: wanted.resource, client_id: id, scope: 'read' })
  expect(documents.asked('/agent.json')).toBe(1)

  // Nothing without consent each time, PKCE, an API that any app may use, and a redirect URI of the document.
  expect(isConsent(await flow.ask(all))).toBe(true)
  const listed = await addApi(server)
  for (const [changes, error] of [
    [{ ...wanted, prompt: 'none' }, 'consent_required'],
    [{ ...wanted, code_challenge: undefined }, 'invalid_request'],
    [{ resource: undefined }, 'invalid_target'],
    [{ ...wanted, resource: listed.resource }, 'invalid_target'],
  ] as const)
    expect((await flow.answer(changes)).get('error'), error).toBe(error)
  expect(faultOf(await flow.ask({ ...wanted, redirect_uri: `${callback}/` }))).toContain('unregistered redirect_uri')
  for (const grant_type of ['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'])
    expectOAuthError(await flow.exchange('', { grant_type }), 400, 'unauthorized_client')
  expectOAuthError(await flow.exchange('', { client_secret: 'secret' }), 401, 'invalid_client')

  // It is no app of the operators', and its person finds it by its host.
  expect((await client.post('/api/i/apps')).body).toMatchObject({
    apps: [{ id, name: host, homeUrl: null }],
    tiles: [],
  })
  expect(JSON.stringify(await accountsJson(server, 'app', 'list'))).not.toContain('documents.test')
  expect(JSON.stringify(await accountsJson(server, 'dump'))).not.toContain('documents.test')
  expect((await accounts(server, 'app', 'delete', id)).code).toBe(1)
  expect((await accounts(server, 'api', 'change', listed.resource, '--app', id)).code).toBe(1)
  expect(readSql(server.databaseUrl, `SELECT COALESCE("lastRefusal", 'none') FROM "App" WHERE "id" = '${id}'`)).toEqual(
    ['none'],
  )
  const seen = logLines(server.output()).filter(({ app }) => app === id)
  expect(seen.map(({ event }) => event)).toEqual(expect.arrayContaining(['signed_in_to_app', 'app_refused']))

  // Once it is stale, it is fetched again, and one that is gone gets nobody.
  expect(faultOf(await client.get(flow.path(wanted), later))).toMatch(/^The document of this client cannot be fetched/)

  // An operator blocks it by leaving its host out; its person can still take its access away.
  const code = (await flow.code(all)) as string
  const without = await start({ beside: server, env: { ...documents.env, CLIENT_DOCUMENTS: 'other.documents.test' } })
  const elsewhere = new Flow(new Client(without), appOf(id))
  expect(faultOf(await elsewhere.ask(wanted))).toBe(
    'The client_id is at a host that CLIENT_DOCUMENTS here does not name.',
  )
  expectOAuthError(await elsewhere.exchange(code), 401, 'invalid_client')
  expect((await client.post('/api/i/apps/revoke', { id })).status).toBe(204)
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
})

test('a client that anybody could have written is told what is wrong, and gets nothing @promise', async ({
  server,
  client,
  documents,
}) => {
  await signUp(client)
  const wanted = await addApi(server, '--any-app')
  const ask = async (id: string, words = later) =>
    faultOf(await client.get(new Flow(client, appOf(id)).path(wanted), words))
  const there = `app.documents.test:${documents.port}`
  const fetchless: [id: string, fault: string][] = [
    [`https://user@${there}/a.json`, 'user information'],
    [`https://:@${there}/a.json`, 'user information'],
    [`https://${there}/a.json?b`, 'no query'],
    [`https://${there}/a.json?`, 'no query'],
    [`https://${there}/a.json#b`, 'no fragment'],
    [`https://${there}/a.json#`, 'no fragment'],
    [`https://${there}/../a.json`, 'no dot segments'],
    [`https://${there}/b/..`, 'no dot segments'],
    [`https://${there}/./a.json`, 'no dot segments'],
    [`https://${there}/b/%2e%2E/a.json`, 'no dot segments'],
    [`https://${there}/b%2F..%2fa.json`, 'no dot segments'],
    [`https://${there}/b\\..\\a.json`, 'normal form'],
    [`https://${there}/a b.json`, 'ASCII'],
    ['https://APP.documents.test/a.json', 'normal form'],
    ['https://app.documents.test:443/a.json', 'normal form'],
    ['https://app.documents.test:0443/a.json', 'normal form'],
    ['https://app.documents.test:/a.json', 'normal form'],
    ['https://0x7f000001/a.json', 'normal form'],
    ['https://127.0.0.1/a.json', 'name of a host'],
    ['https://[::1]/a.json', 'name of a host'],
    [`https://app.documents.test.:${documents.port}/a.json`, 'name of a host'],
    ['https://äpp.documents.test/a.json', 'xn--'],
    [`https://${there}`, 'normal form'],
    [`https://${there}/`, 'a path'],
    [`https://${there}/${'a'.repeat(513 - `https://${there}/`.length)}`, 'at most 512'],
  ]
  for (const [id, fault] of fetchless) expect(await ask(id), id).toMatch(new RegExp(`^The client_id .*${fault}`))
  for (const id of [`http://${there}/a.json`, `HTTPS://${there}/a.json`])
    expect(await ask(id)).toBe('unknown client_id')
  expect(documents.asked('/a.json')).toBe(0)

  const whole = (id: string, changes: object = {}) => JSON.stringify(documentOf(id, changes))
  const body =
    (text: (id: string) => string | Buffer, headers: Record<string, string> = {}) =>
    ({ headers: { host }, url }: { headers: { host?: string }; url?: string }, response: Parameters<typeof send>[0]) =>
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(text(`https://${host}${url}`))
  const unfetchable = 'cannot be fetched'
  const answers: [answer: Parameters<typeof documents.put>[1], fault: string][] = [
    [(_, response) => response.writeHead(302, { Location: '/agent.json' }).end(), unfetchable],
    [(_, response) => response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}'), unfetchable],
    [(_, response) => response.destroy(), unfetchable],
    [body((id) => whole(id).padEnd(6 * 1024)), unfetchable],
    [body((id) => gzipSync(whole(id)), { 'Content-Encoding': 'gzip' }), 'without Content-Encoding'],
    [body((id) => whole(id), { 'Content-Type': 'text/html' }), 'application/json'],
    [body(() => '<!doctype html>'), 'JSON object'],
    [body(() => '[]'), 'JSON object'],
    [body((id) => Buffer.from(whole(id, { client_name: 'ä' }), 'latin1')), 'UTF-8'],
    [{ client_id: `https://other.documents.test/agent.json` }, 'client_id must be the URL of the document'],
    [{ client_id: undefined }, 'client_id must be'],
    [{ client_name: undefined }, 'client_name must be a text'],
    [{ client_name: 'A\u202egent' }, 'client_name must be 1 to 64 readable characters'],
    [{ redirect_uris: undefined }, 'redirect_uris must be a list'],
    [{ redirect_uris: [] }, 'redirect_uris must name one'],
    [{ redirect_uris: [callback, 'http://app.documents.test/'] }, 'redirect_uris.1 must be https'],
    [{ redirect_uris: ['javascript:alert(1)//'] }, 'redirect_uris.0 must be'],
    [{ token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method must be none'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method must be none'],
    [{ client_secret: 'secret' }, 'client_secret must not be there'],
  ]
  for (const [index, [answer, fault]] of answers.entries()) {
    const id = documents.put(`/bad-${index}.json`, answer)
    expect(await ask(id), `${index}`).toContain(fault)
    expect(countOf(server, id)).toBe(0)
    expect(documents.asked(`/bad-${index}.json`)).toBe(1)
  }

  // At a private address, and one that is public at the first look alone, also with the document kept.
  const secluded = documents.put('/secluded.json', {}, 'private')
  expect(await ask(secluded)).toContain('must be at a public address')
  const rebound = documents.put('/rebound.json', {}, 'rebind')
  const first = await client.get(new Flow(client, appOf(rebound)).path(wanted))
  expect(isConsent(first), first.text).toBe(true)
  expect(await ask(rebound)).toContain('must be at a public address')
  expect([documents.asked('/secluded.json'), documents.asked('/rebound.json')]).toEqual([0, 1])
})

test('a document is fetched once by those who ask at once, kept as HTTP says, and not asked for again and again once it fails @storage', async ({
  server,
  client,
  documents,
  start,
}) => {
  const { id: userId } = await createAccount(client)
  const wanted = await addApi(server, '--any-app')
  // Two instances ask at once: both have fetched before either writes, and the unique key decides.
  const second = await start({ beside: server, env: { ...documents.env, CLIENT_DOCUMENTS: 'any' } })
  const waiting: (() => void)[] = []
  const raced = documents.put('/raced.json', ({ headers: { host }, url }, response) => {
    waiting.push(() => send(response, JSON.stringify(documentOf(`https://${host}${url}`))))
    if (waiting.length === 2) for (const answer of waiting) answer()
  })
  const flows = [server, server, second, second].map((one) => new Flow(new Client(one), appOf(raced)))
  for (const answer of await Promise.all(flows.map((flow) => flow.ask(wanted))))
    expect([answer.status, String(answer.headers.location).slice(0, 7)], answer.text).toEqual([303, '/signin'])
  expect([documents.asked('/raced.json'), countOf(server, raced)]).toEqual([2, 1])

  // Between five minutes and a day, whatever its server says.
  for (const [rules, askedLater, askedMuchLater] of [
    ['no-store, max-age=3600', 2, 3],
    ['max-age=1', 2, 3],
    ['public, max-age=3600', 1, 2],
    ['max-age=99999999', 1, 2],
    ['max-age=1, s-maxage=3600', 1, 2],
  ] as const) {
    const path = `/${rules.replace(/\W+/g, '-')}.json`
    const id = documents.put(path, ({ headers: { host }, url }, response) =>
      send(response, JSON.stringify(documentOf(`https://${host}${url}`)), { 'Cache-Control': rules }),
    )
    const counts: number[] = []
    for (const words of [{}, {}, later, muchLater]) {
      expect((await client.get(new Flow(client, appOf(id)).path(wanted), words)).status).toBe(303)
      counts.push(documents.asked(path))
    }
    expect(counts, rules).toEqual([1, 1, askedLater, askedMuchLater])
  }

  // What it says now counts: a redirect URI that it names no longer gets nothing.
  const changing = documents.put('/changing.json')
  const flow = new Flow(client, appOf(changing))
  expect(isConsent(await flow.ask(wanted))).toBe(true)
  documents.put('/changing.json', { redirect_uris: ['https://other.documents.test/'] })
  expect(faultOf(await client.get(flow.path(wanted), later))).toContain('unregistered redirect_uri')

  const failing = `https://app.documents.test:${documents.port}/nowhere.json`
  const faults: string[] = []
  for (let asked = 0; asked < 5; asked++) faults.push(faultOf(await new Flow(client, appOf(failing)).ask(wanted)))
  expect(faults.at(-1)).toContain('asked for too often')
  expect(documents.asked('/nowhere.json')).toBe(3)

  // A thousand that nobody has let in are kept, the newest, and a hundred of an account's own. A stranger's may be kept for a day.
  const old = `'https://old-' || "i" || '.documents.test/${userId}'`
  const series = (count: number) =>
    `WITH RECURSIVE n("i") AS (SELECT 0 UNION ALL SELECT "i" + 1 FROM n WHERE "i" < ${count - 1})`
  executeSql(
    server.databaseUrl,
    `INSERT INTO "App" ("id", "name", "redirectUris", "clientName", "createdAt", "documentUntil")
      ${series(1_150)} SELECT ${old}, ${old}, '', 'Old', '2026-01-02 03:04:05', ${Date.now() + 86_400_000} FROM n`,
  )
  executeSql(
    server.databaseUrl,
    `INSERT INTO "Grant" ("id", "userId", "appId", "scopes", "createdAt")
      ${series(100)} SELECT '${userId}-' || "i", '${userId}', ${old}, 'openid', "i" FROM n`,
  )
  const fresh = documents.put('/fresh.json')
  await new Flow(client, appOf(fresh)).code(wanted)
  const granted = readSql(server.databaseUrl, `SELECT "appId" FROM "Grant" WHERE "userId" = '${userId}'`)
  expect(granted).toHaveLength(100)
  expect(granted).toContain(fresh)
  expect(granted).not.toContain(`https://old-0.documents.test/${userId}`)
  const unused = `SELECT COUNT(*) FROM "App" a WHERE a."clientName" IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM "Grant" g WHERE g."appId" = a."id")`
  expect(Number(readSql(server.databaseUrl, unused)[0])).toBeLessThanOrEqual(1_001)

  // One that made way while its consent page was open is there again with the answer.
  const ousted = new Flow(client, appOf(documents.put('/ousted.json')))
  const asked = await ousted.ask(wanted)
  executeSql(server.databaseUrl, `DELETE FROM "App" WHERE "id" = '${ousted.app.id}'`)
  expect(ousted.toApp(await consent(client, asked)).has('code')).toBe(true)
})

test('the discovery document says that clients may introduce themselves where they may, and nothing about it elsewhere', async ({
  server,
  generalServer,
}) => {
  const at = async (one: Server) =>
    (await (await fetch(`${one.url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>
  expect(await at(server)).toMatchObject({
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
  })
  expect(await at(generalServer)).not.toHaveProperty('client_id_metadata_document_supported')
  const asked = await new Client(generalServer).get(
    `/api/oauth/authorize?client_id=${encodeURIComponent('https://app.example.com/client.json')}`,
  )
  expect(faultOf(asked)).toBe('unknown client_id')
})
