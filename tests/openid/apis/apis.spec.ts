import { decodeJwt, decodeProtectedHeader } from 'jose'
import { createAccount, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { CALLBACK, expect, type RegisteredApp, registerApp, test } from '../../support/openid/fixtures'
import { Flow, lasting } from '../../support/openid/flow'
import {
  consent,
  expectEnded,
  expectOAuthError,
  isConsent,
  postForm,
  requestOf,
  userinfo,
} from '../../support/openid/requests'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { verifyWithPublicKeys } from '../../support/tokens/tokens'

/** Registers an API with these options, and the scopes `read` and `notes.write` unless they name some. */
async function addApi(server: Server, ...options: string[]) {
  const identifier = `https://${randomName()}.example.com/v1`
  const scopes = ['--scope', 'read=Read your notes', '--scope', 'notes.write=Write notes in your name']
  const { api } = await accountsJson(server, 'api', 'add', 'Notes API', identifier, ...scopes, ...options)
  expect(api).toMatchObject({
    identifier,
    scopes: { read: 'Read your notes', 'notes.write': 'Write notes in your name' },
  })
  return identifier
}

/** Asks for these APIs, says yes where anything is asked, and answers what the app gets. */
async function answerFor(flow: Flow, resources: string[], changes: Record<string, string | undefined> = {}) {
  const parameters = flow.parameters(changes)
  for (const resource of resources) parameters.append('resource', resource)
  const asked = await flow.client.get(`/api/oauth/authorize?${parameters}`)
  return flow.toApp(isConsent(asked) ? await consent(flow.client, asked) : asked)
}

async function codeFor(flow: Flow, resources: string[], changes: Record<string, string | undefined> = {}) {
  const query = await answerFor(flow, resources, changes)
  expect(query.get('error_description')).toBeNull()
  return query.get('code') as string
}

/** The claims of an access token that verifies as one for this API (RFC 9068 section 4). */
async function claimsAt(server: Server, token: string, audience: string) {
  expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'RS256' })
  return verifyWithPublicKeys(server, token, { audience, algorithms: ['RS256'], typ: 'at+jwt' })
}

test('an access token is for the API that the app names, with the scopes of that API alone, and opens no userinfo @promise', async ({
  server,
  client,
}) => {
  const { id: sub, username } = await createAccount(client)
  const app = await registerApp(server, CALLBACK)
  const notes = await addApi(server, '--app', app.id)
  const tasks = await addApi(server, '--any-app', '--lifetime', '5m')
  const scope = `${lasting} groups read notes.write tasks.none`
  const flow = new Flow(client, app)

  // The page names the API and what each scope lets the app do, and nothing is granted without it.
  const asked = await flow.ask({ scope: 'openid read', resource: notes })
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body).toMatchObject({
    scopes: ['openid'],
    apis: [{ name: 'Notes API', identifier: notes, scopes: ['Read your notes'] }],
  })

  const first = await flow.exchange(await codeFor(flow, [notes, tasks], { scope }))
  expect(first.body).toMatchObject({
    expires_in: 900,
    scope: 'openid profile groups offline_access read notes.write',
    id_token: expect.any(String),
  })
  const { iat = 0, ...claims } = await claimsAt(server, first.body.access_token, notes)
  expect(claims).toMatchObject({ iss: server.origin, sub, client_id: app.id, exp: iat + 900, groups: [] })
  expect(claims).toMatchObject({ scope: 'read notes.write', auth_time: expect.any(Number), acr: 'phr' })
  // Nothing in it tells two APIs that they see the same sign-in.
  expect(claims).not.toHaveProperty('gid')
  await expectEnded(client, first.body.access_token)

  // Refreshing keeps the API; another of the granted ones has to be named, and one that was not never comes.
  const refreshed = await flow.refresh(first.body.refresh_token)
  await claimsAt(server, refreshed.body.access_token, notes)
  const other = await flow.refresh(refreshed.body.refresh_token, { resource: tasks, scope: 'openid read' })
  expect(other.body).toMatchObject({ expires_in: 300, scope: 'openid read' })
  expect(await claimsAt(server, other.body.access_token, tasks)).toMatchObject({ scope: 'read' })
  const third = await addApi(server, '--any-app')
  expectOAuthError(await flow.refresh(other.body.refresh_token, { resource: third }), 400, 'invalid_target')
  expectOAuthError(await flow.refresh(other.body.refresh_token, { scope: 'read nothing' }), 400, 'invalid_scope')

  // A code for two is redeemed for the second, for none that it does not name, and for one at a time.
  const redeem = async (resource: string | string[], resources = [notes, tasks]) => {
    const again = new Flow(client, app)
    const form = {
      grant_type: 'authorization_code',
      code: await codeFor(again, resources, { scope }),
      redirect_uri: app.redirectUri,
      code_verifier: again.verifier,
      client_id: app.id,
      client_secret: app.secret ?? '',
    }
    const parameters = new URLSearchParams(form)
    for (const one of [resource].flat()) parameters.append('resource', one)
    return postForm(client, '/api/oauth/token', parameters)
  }
  const second = await redeem(tasks)
  await claimsAt(server, second.body.access_token, tasks)
  const kept = await flow.refresh(second.body.refresh_token)
  await claimsAt(server, kept.body.access_token, tasks)
  expectOAuthError(await redeem(third), 400, 'invalid_target')
  expectOAuthError(await redeem([notes, tasks]), 400, 'invalid_target')
  await claimsAt(server, (await redeem([notes, notes])).body.access_token, notes)
  expectOAuthError(await redeem(notes, []), 400, 'invalid_target')

  // Its tokens end as all of the app's do.
  expect((await flow.revoke(kept.body.access_token)).status).toBe(200)
  expect((await flow.revoke(kept.body.refresh_token)).status).toBe(200)
  expectOAuthError(await flow.refresh(kept.body.refresh_token), 400, 'invalid_grant')
  const lastChance = (await flow.refresh(other.body.refresh_token)).body.refresh_token
  await accountsJson(server, 'disable', username)
  expectOAuthError(await flow.refresh(lastChance), 400, 'invalid_grant')
})

test('an API gets tokens only of apps that it lists, for people of its groups, and only while both are so', async ({
  server,
  client,
}) => {
  const { username } = await createAccount(client)
  const group = randomName().toLowerCase()
  await accountsJson(server, 'group', 'add', group, username)
  const app = await registerApp(server, CALLBACK)
  const trusted = await registerApp(server, CALLBACK, '--trusted')
  const closed = await addApi(server)
  const grouped = await addApi(server, '--app', app.id, '--app', trusted.id, '--group', group)
  const foreign = await addApi(server, '--app', trusted.id)
  const refused = async (resources: string[], changes = {}, asking: RegisteredApp = app) =>
    (await answerFor(new Flow(client, asking), resources, changes)).get('error')

  for (const resource of [closed, foreign, `${grouped}/`, 'https://nobody.example.com', `https://${'x'.repeat(2000)}`])
    expect(await refused([resource]), resource).toBe('invalid_target')
  expect(await refused([grouped, closed])).toBe('invalid_target')
  expect(await refused([grouped, grouped])).toBeNull()
  // Whoever asks for an API alone needs no openid, gets no ID token, and cannot have a nonce in place of PKCE.
  expect(await refused([], { scope: 'read' })).toBe('invalid_scope')
  const plain = { scope: 'read', code_challenge: undefined, code_challenge_method: undefined }
  expect(await refused([grouped], plain)).toBe('invalid_request')
  const flow = new Flow(client, trusted)
  const alone = await flow.exchange(await codeFor(flow, [grouped], { scope: 'read' }))
  expect(Object.keys(alone.body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
  expect(decodeJwt(alone.body.access_token)).toMatchObject({ aud: grouped, scope: 'read' })
  expect(decodeJwt(alone.body.access_token)).not.toHaveProperty('groups')
  // An app that names no API gets what it got before.
  const own = await new Flow(client, trusted).tokens()
  expect((await userinfo(client, own.access_token)).status).toBe(200)
  expect(decodeJwt(own.access_token)).toMatchObject({ aud: server.origin, scope: 'openid profile' })

  const lastingFlow = new Flow(client, app)
  const { body } = await lastingFlow.exchange(await codeFor(lastingFlow, [grouped], { scope: `${lasting} read` }))
  await accountsJson(server, 'api', 'change', grouped, '--no-scope')
  const withoutScope = await lastingFlow.refresh(body.refresh_token)
  expect(decodeJwt(withoutScope.body.access_token)).toMatchObject({ aud: grouped, scope: '' })
  await accountsJson(server, 'api', 'change', grouped, '--app', trusted.id)
  expectOAuthError(await lastingFlow.refresh(withoutScope.body.refresh_token), 400, 'invalid_target')
  await accountsJson(server, 'api', 'change', grouped, '--any-app')
  const again = await lastingFlow.refresh(withoutScope.body.refresh_token)
  expect(again.status, again.text).toBe(200)
  await accountsJson(server, 'group', 'remove', group, username)
  expectOAuthError(await lastingFlow.refresh(again.body.refresh_token), 400, 'invalid_grant')
  expect(await refused([grouped], { scope: 'openid' })).toBe('access_denied')
  await accountsJson(server, 'api', 'delete', grouped, '--yes')
  expect(await refused([grouped])).toBe('invalid_target')
})

test('consent to an API is for its own scopes: neither another API nor a scope that differs in one letter comes along @storage', async ({
  server,
  client,
}) => {
  await signUp(client)
  const app = await registerApp(server, CALLBACK)
  const name = randomName().toLowerCase()
  const identifiers = [`https://${name}.example.com/a_b`, `https://${name}.example.com/axb`]
  for (const identifier of identifiers)
    await accountsJson(
      server,
      'api',
      'add',
      'Letters',
      identifier,
      '--any-app',
      '--scope',
      'n_s=One',
      '--scope',
      'nxs=Two',
      '--scope',
      'N_S=Three',
    )
  const [first = '', second = ''] = identifiers
  await codeFor(new Flow(client, app), [first], { scope: 'openid n_s' })
  const asks = async (resource: string, scope: string) =>
    isConsent(await new Flow(client, app).ask({ scope: `openid ${scope}`, resource }))
  expect(await asks(first, 'n_s')).toBe(false)
  for (const [resource, scope] of [
    [first, 'nxs'],
    [first, 'N_S'],
    [second, 'n_s'],
    [second, ''],
  ] as const)
    expect(await asks(resource, scope), `${resource} ${scope}`).toBe(true)
  const flow = new Flow(client, app)
  expect((await flow.exchange(await codeFor(flow, [first], { scope: 'openid N_S' }))).body.scope).toBe('openid N_S')
  const { apps } = (await client.post('/api/i/apps')).body
  expect(apps).toMatchObject([{ scopes: ['openid'], apis: [{ name: 'Letters', scopes: ['One', 'Three'] }] }])

  // A scope that was taken away, or an API that was deleted, starts without consent when it comes back.
  const { secret } = await accountsJson(server, 'key', 'add', `file-${name}`, '--for', 'apps,groups')
  const operator = new Client(server, { bearer: secret })
  const spec = { identifier: first, name: 'Letters', scopes: { n_s: 'One' }, apps: 'any' }
  const { changes } = (await operator.post('/api/admin/apply', { file: { apis: [spec] } })).body
  expect(changes).toMatchObject([{ name: first, fields: ['scopes'] }])
  await accountsJson(server, 'api', 'change', first, '--scope', 'n_s=One', '--scope', 'N_S=Three')
  expect([await asks(first, 'n_s'), await asks(first, 'N_S')]).toEqual([false, true])
  const lastingFlow = new Flow(client, await registerApp(server, CALLBACK))
  const { body } = await lastingFlow.exchange(await codeFor(lastingFlow, [first], { scope: 'n_s offline_access' }))
  await accountsJson(server, 'api', 'delete', first, '--yes')
  expect((await operator.post('/api/admin/apis/add', spec)).status).toBe(201)
  expect([await asks(first, 'n_s'), await asks(first, '')]).toEqual([true, true])
  expectOAuthError(await lastingFlow.refresh(body.refresh_token), 400, 'invalid_grant')
})

test('a machine gets tokens for the APIs that list it, by its secret alone, and nothing of people @promise', async ({
  server,
}) => {
  const { app, secret } = await accountsJson(server, 'app', 'add', `Job ${randomName()}`, '--machine')
  expect(app).toMatchObject({ machine: true, public: false, redirectUris: [] })
  const person = await registerApp(server, CALLBACK)
  const notes = await addApi(server, '--app', app.id, '--group', randomName().toLowerCase())
  const closed = await addApi(server, '--app', person.id)
  const ask = (changes: Record<string, string | undefined> = {}, of = { id: app.id, secret }) =>
    postForm({ server }, '/api/oauth/token', {
      grant_type: 'client_credentials',
      client_id: of.id,
      client_secret: of.secret,
      resource: notes,
      scope: 'read',
      ...changes,
    })
  const { body, status } = await ask()
  expect([status, Object.keys(body).sort()]).toEqual([200, ['access_token', 'expires_in', 'scope', 'token_type']])
  const { iat = 0, ...claims } = await claimsAt(server, body.access_token, notes)
  expect(claims).toEqual({
    iss: server.origin,
    sub: app.id,
    client_id: app.id,
    aud: notes,
    scope: 'read',
    exp: iat + 900,
    jti: expect.any(String),
  })
  expectOAuthError(await userinfo({ server }, body.access_token), 401, 'invalid_token')
  const revoked = await postForm({ server }, '/api/oauth/revoke', {
    token: body.access_token,
    client_id: app.id,
    client_secret: secret,
  })
  expect(revoked.status).toBe(200)
  for (const [changes, error, code = 400] of [
    [{ resource: undefined }, 'invalid_target'],
    [{ resource: closed }, 'invalid_target'],
    [{ resource: `${notes} ${closed}` }, 'invalid_target'],
    [{ scope: 'openid' }, 'invalid_scope'],
    [{ scope: 'read offline_access' }, 'invalid_scope'],
    [{ client_secret: undefined }, 'invalid_client', 401],
    [{ grant_type: 'authorization_code', code: 'x' }, 'unauthorized_client'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'unauthorized_client'],
  ] as const)
    expectOAuthError(await ask(changes), code, error)
  expectOAuthError(await ask({}, { id: person.id, secret: person.secret }), 400, 'unauthorized_client')
  // An operator who gives a machine somebody's id makes nobody of it.
  const { id } = await signUp(new Client(server))
  const posing = await accountsJson(server, 'app', 'add', `Pose ${randomName()}`, '--machine', '--id', id)
  await accountsJson(server, 'api', 'change', notes, '--any-app')
  expectOAuthError(await ask({}, { id, secret: posing.secret }), 400, 'unauthorized_client')
  // No address leads anybody to sign in to it.
  const page = await new Client(server).get(
    `/api/oauth/authorize?${new URLSearchParams({ client_id: app.id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid' })}`,
  )
  expect(page.status).toBe(400)
})

test('an API is told the same by command, endpoint and file, and each fault says what would be right', async ({
  server,
}) => {
  const { secret } = await accountsJson(
    server,
    'key',
    'add',
    `apis-${randomName().toLowerCase()}`,
    '--for',
    'apps,groups',
  )
  const key = new Client(server, { bearer: secret })
  const app = await registerApp(server, CALLBACK)
  const identifier = `https://${randomName().toLowerCase()}.example.com`
  const spec = {
    identifier,
    name: 'Tasks',
    scopes: { 'tasks.read': 'Read tasks' },
    apps: [app.id],
    groups: [],
    lifetime: '10m',
  }
  const added = await key.post('/api/admin/apis/add', spec)
  expect([added.status, added.body.api]).toEqual([201, { ...spec, createdAt: expect.any(String) }])
  const again = await key.post('/api/admin/apis/add', spec)
  expect([again.status, Object.keys(again.body.fields)]).toEqual([400, ['identifier']])
  expect((await accounts(server, 'api', 'show', identifier)).stdout).toContain('tasks.read  Read tasks')
  const { file } = (await key.post('/api/admin/dump', {})).body
  expect(file.apis).toContainEqual({ identifier, name: 'Tasks', scopes: spec.scopes, apps: [app.id], lifetime: '10m' })
  const applied = async (apis: unknown[]) => (await key.post('/api/admin/apply', { file: { apis } })).body
  expect(await applied([spec])).toMatchObject({ changes: [] })
  expect(await applied([{ ...spec, apps: 'any', lifetime: '600s' }])).toMatchObject({
    changes: [{ action: 'change', kind: 'api', name: identifier, fields: ['apps'] }],
  })
  expect((await applied([{ ...spec, apps: ['nobody'] }])).fields.file).toContain('there is no app with the id "nobody"')

  const faults: [change: object, field: string, text: string][] = [
    [{ identifier: 'api.example.com' }, 'identifier', 'must be absolute'],
    [{ identifier: 'http://api.example.com' }, 'identifier', 'must be https'],
    [{ identifier: 'urn:api' }, 'identifier', 'must be https'],
    [{ identifier: `${identifier}#part` }, 'identifier', 'no fragment'],
    [{ identifier: server.origin }, 'identifier', 'an origin that the settings name'],
    [{ identifier: `${server.origin}/` }, 'identifier', 'an origin that the settings name'],
    [{ scopes: { openid: 'Sign in' } }, 'scopes', 'OpenID Connect'],
    [{ scopes: { 'a b': 'Two words' } }, 'scopes', 'letters, digits'],
    [{ scopes: { read: ' ' } }, 'scopes', 'Say in 1 to'],
    [{ lifetime: '2h' }, 'lifetime', '1m to 1h'],
    [{ apps: ['nobody'] }, 'apps', 'no app with the id'],
    [{ name: '' }, 'name', 'readable'],
  ]
  for (const [change, field, text] of faults) {
    const { status, body } = await key.post('/api/admin/apis/add', {
      ...spec,
      identifier: `${identifier}/new`,
      ...change,
    })
    expect([status, body.fields?.[field]], JSON.stringify(change)).toEqual([400, expect.stringContaining(text)])
  }
  // Only who may trust opens an API to more people.
  await accountsJson(server, 'api', 'change', identifier, '--group', 'family')
  for (const answer of [
    await key.post('/api/admin/apis/change', { api: identifier, groups: null }),
    await key.post('/api/admin/apply', { file: { apis: [spec] } }),
    // To register it again for everybody.
    await key.post('/api/admin/apis/delete', { api: identifier }),
    await key.post('/api/admin/apply', { file: { apis: [] }, prune: true }),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'not_allowed'])
  await accountsJson(server, 'api', 'change', identifier, '--no-group')
  // An app that is gone leaves the lists, also where a file deletes it, so that what `dump` says can be applied.
  for (const how of ['command', 'file']) {
    const { app: gone } = await accountsJson(server, 'app', 'add', `Gone ${randomName()}`, CALLBACK)
    await accountsJson(server, 'api', 'change', identifier, '--app', app.id, '--app', gone.id)
    if (how === 'command') await accountsJson(server, 'app', 'delete', gone.id, '--yes')
    else {
      const { file } = (await key.post('/api/admin/dump', {})).body
      const apps = file.apps.filter(({ id }: { id: string }) => id !== gone.id)
      const answer = await key.post('/api/admin/apply', { file: { apps }, prune: true })
      expect(answer.body.changes, answer.text).toMatchObject([{ action: 'delete', name: gone.id }])
    }
    expect((await key.post('/api/admin/apis/show', { api: identifier })).body.api.apps).toEqual([app.id])
  }
  const deleted = await key.post('/api/admin/apis/delete', { api: identifier })
  expect([deleted.status, deleted.body.api.identifier]).toEqual([200, identifier])
  expect((await key.post('/api/admin/apis/show', { api: identifier })).status).toBe(404)
})
