import { createAccount, signInElsewhere, signUp } from '../../support/accounts'
import type { Answer } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { CALLBACK, expect, type RegisteredApp, registerApp, test } from '../../support/openid/fixtures'
import { Flow, lasting } from '../../support/openid/flow'
import { expectEnded, expectOAuthError, isConsent, nextOf, requestOf, userinfo } from '../../support/openid/requests'
import { alterCode, exhaustCodes, readCode } from '../../support/openid/stored-codes'
import { logLines, requestIdOf } from '../../support/server/server-log'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'

test('a code is good once, and a second use ends what the first gave @storage @promise', async ({
  client,
  app,
  server,
}) => {
  const { id } = await createAccount(client)
  const flow = new Flow(client, app)
  const code = await flow.code()
  const first = await flow.exchange(code)
  expect((await userinfo(client, first.body.access_token)).body.sub).toBe(id)
  const answers = [await flow.exchange(code), await flow.exchange(code)]
  for (const answer of answers) expectOAuthError(answer, 400, 'invalid_grant')
  await expectEnded(client, first.body.access_token)
  // Its line is the last to arrive.
  const last = requestIdOf(await client.post('/api/signout'))
  const lines = () => logLines(server.output())
  await expect.poll(lines).toContainEqual(expect.objectContaining({ event: 'signed_out', request: last }))
  // Further uses are no other event: they could fill the log.
  const reuses = lines().filter(
    ({ event, request }) => event === 'code_reused' && answers.map(requestIdOf).includes(request),
  )
  expect(reuses).toHaveLength(1)
})

test('a second use by its app ends what the first gave also long after the code has expired', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const code = await flow.code()
  const { body } = await flow.exchange(code)
  alterCode(server, code, '"validUntil" = "validUntil" - 600000, "usedAt" = "usedAt" - 600000')
  expect((await userinfo(client, body.access_token)).status).toBe(200)
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  await expectEnded(client, body.access_token)
})

test('an app keeps a thousand codes and a hundred families of refresh tokens of an account, and the oldest end @storage', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const code = await flow.code()
  const { access_token } = (await flow.exchange(code)).body
  const oldest = (await flow.lastingTokens()).refresh_token
  exhaustCodes(server, code, oldest)
  const later = new Flow(client, app)
  expect((await userinfo(client, access_token)).status).toBe(200)
  expect((await later.exchange(await later.code())).status).toBe(200)
  await expectEnded(client, access_token)
  expect(readCode(server, oldest, 'ended')).toBeDefined()
  const { refresh_token } = await later.lastingTokens()
  expect(readCode(server, oldest, 'ended')).toBeUndefined()
  expectOAuthError(await flow.refresh(oldest), 400, 'invalid_grant')
  expect((await later.refresh(refresh_token)).status).toBe(200)
})

test('on PostgreSQL, a request beside which the grant gets fewer scopes gets no code', { tag: '@networked' }, async ({
  client,
  server,
}) => {
  const app = await registerApp(server, CALLBACK)
  const { username } = await signUp(client)
  await new Flow(client, app).code()
  // A session that has yet to reach the app, which waits for the app's row between the check and the code.
  const later = await signInElsewhere(server, username)
  const held = await takeLock(server.databaseUrl, `SELECT 1 FROM "App" WHERE "id" = '${app.id}' FOR UPDATE`)
  const asking = new Flow(later, app).ask()
  await held.untilWaiting(1)
  executeSql(server.databaseUrl, `UPDATE "Grant" SET "scopes" = 'openid' WHERE "appId" = '${app.id}'`)
  await held.release()
  nextOf(await asking)
})

test('on PostgreSQL, a request beside which access is taken away begins anew', { tag: '@networked' }, async ({
  client,
  server,
}) => {
  const app = await registerApp(server, CALLBACK)
  await createAccount(client)
  await new Flow(client, app).code()
  const held = await takeLock(server.databaseUrl, `DELETE FROM "Grant" WHERE "appId" = '${app.id}'`)
  const asking = new Flow(client, app).ask()
  await held.untilWaiting(1)
  await held.release()
  nextOf(await asking)
})

test('on PostgreSQL, an app that is trusted no longer keeps no consent that the operator gave at the same time', {
  tag: '@networked',
}, async ({ client, server }) => {
  const app = await registerApp(server, CALLBACK, '--trusted')
  await createAccount(client)
  const held = await takeLock(server.databaseUrl, `UPDATE "App" SET "trusted" = FALSE WHERE "id" = '${app.id}'`)
  const asking = new Flow(client, app).ask()
  await held.untilWaiting(1)
  await held.release()
  expect(isConsent(await asking)).toBe(true)
  expect((await client.post('/api/i/apps')).body.apps).toEqual([])
})

test('on PostgreSQL, a request beside which its app is deleted is answered as one of an unknown app', {
  tag: '@networked',
}, async ({ client, server }) => {
  await createAccount(client)
  const answerBesideDeletion = async (app: RegisteredApp, request: () => Promise<Answer>) => {
    const held = await takeLock(server.databaseUrl, `DELETE FROM "App" WHERE "id" = '${app.id}'`)
    const asking = request()
    await held.untilWaiting(1)
    await held.release()
    return asking
  }
  const app = await registerApp(server, CALLBACK)
  const request = requestOf(await new Flow(client, app).ask())
  const consenting = () => client.post('/api/oauth/consent', { request, allow: true })
  expectError(await answerBesideDeletion(app, consenting), 400, 'invalid_request')

  const trusted = await registerApp(server, CALLBACK, '--trusted')
  const answer = await answerBesideDeletion(trusted, () => new Flow(client, trusted).ask())
  expect([answer.status, answer.headers.location]).toEqual([400, undefined])
  await expectSignedIn(client)
})

test('on PostgreSQL, taking access from an app that has none waits for nobody', { tag: '@networked' }, async ({
  client,
  server,
}) => {
  const app = await registerApp(server, CALLBACK)
  const { id } = await createAccount(client)
  const held = await takeLock(server.databaseUrl, `SELECT 1 FROM "User" WHERE "id" = '${id}' FOR UPDATE`)
  expectError(await client.post('/api/i/apps/revoke', { id: app.id }), 404, 'not_found')
  await held.release()
})

test("code injection: another person's code is worth nothing in one's own sign-in @promise", async ({
  client,
  another,
  app,
}) => {
  await createAccount(client)
  const attacker = another()
  await createAccount(attacker)
  const stolen = await new Flow(client, app).code()
  const own = new Flow(attacker, app)
  await own.code()
  expectOAuthError(await own.exchange(stolen), 400, 'invalid_grant')
})

test('of parallel redemptions of one code, exactly one is answered with tokens, and what it got has ended @storage @promise', async ({
  client,
  app,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  for (const [times, scope] of [
    [2, 'openid'],
    [5, lasting],
  ] as const) {
    const code = await flow.code({ scope })
    const answers = await Promise.all(Array.from({ length: times }, () => flow.exchange(code)))
    const [won, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    for (const answer of answers.filter((one) => one !== won)) expectOAuthError(answer, 400, 'invalid_grant')
    await expectEnded(client, won?.body.access_token)
    if (scope === lasting) expectOAuthError(await flow.refresh(won?.body.refresh_token), 400, 'invalid_grant')
  }
})

test("CVE-2026-28513: another app's code is rejected, which neither uses it up nor ends what its app got for it @promise", async ({
  client,
  app,
  appWith,
}) => {
  await createAccount(client)
  const other = await appWith(CALLBACK, 'https://other.example.com/')
  const flow = new Flow(client, app)
  const code = await flow.code({ scope: lasting })
  const stolen = { client_id: other.id, client_secret: other.secret }
  expectOAuthError(await flow.exchange(code, stolen), 400, 'invalid_grant')
  const { status, body } = await flow.exchange(code)
  expect(status).toBe(200)
  expectOAuthError(await flow.exchange(code, stolen), 400, 'invalid_grant')
  expect((await userinfo(client, body.access_token)).status).toBe(200)
  expect((await flow.refresh(body.refresh_token)).status).toBe(200)
})

test('CVE-2026-28513: an expired code is rejected, and a code expires after a minute @promise', async ({
  client,
  app,
  server,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const code = await flow.code()
  expect(Number(readCode(server, code, 'validUntil')) - Date.now()).toBeLessThanOrEqual(60_000)
  alterCode(server, code, `"validUntil" = ${Date.now() - 1}`)
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
})

test('a code is bound to its redirect URI, which must be said again @promise', async ({ client, appWith }) => {
  const second = 'https://app.example.com/second'
  const app = await appWith(CALLBACK, second)
  await createAccount(client)
  for (const redirect_uri of [second, undefined, `${CALLBACK}/`]) {
    const flow = new Flow(client, app)
    expectOAuthError(await flow.exchange(await flow.code(), { redirect_uri }), 400, 'invalid_grant')
  }
})

test('what is not a code is rejected, whatever it looks like', async ({ client, app }) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const code = await flow.code()
  expectOAuthError(await flow.exchange(''), 400, 'invalid_request')
  for (const wrong of [
    'x',
    `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`,
    `${code}A`,
    code.slice(0, 22),
    'a\0b',
  ])
    expectOAuthError(await flow.exchange(wrong), 400, 'invalid_grant')
  // None of these has used it up.
  expect((await flow.exchange(code)).status).toBe(200)
})
