import { createAccount, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, expectOAuthError } from '../../support/openid/requests'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { executeSql } from '../../support/storage/sql'

/**
 * The lines about an app that it was refused something. The server is not the one of all specs, whose lines are more than 100 a
 * minute.
 */
const refusals = (server: Server, { id }: { id: string }) =>
  logLines(server.output()).filter(({ event, app }) => event === 'app_refused' && app === id)

const reasons = (server: Server, app: { id: string }) => refusals(server, app).map(({ reason }) => reason)

const lastRefusal = async (server: Server, { id }: { id: string }) =>
  (await accountsJson(server, 'app', 'show', id)).app.lastRefusal

test('each error that an app gets is a line in the security log with its reason, and the first of a minute is in app show', async ({
  startShared,
}) => {
  const server = await startShared()
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  const flow = new Flow(client, app)
  const none = { code_challenge: undefined, code_challenge_method: undefined, nonce: undefined }
  const asked: [changes: Record<string, string | undefined>, reason: string][] = [
    [{ prompt: 'none' }, 'login_required'],
    [none, 'code_challenge_missing'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'x' }, 'invalid_request'],
    [{ scope: 'profile' }, 'invalid_scope'],
  ]
  for (const [changes] of asked) flow.toApp(await flow.ask(changes))
  await expect.poll(() => reasons(server, app)).toEqual(asked.map(([, reason]) => reason))
  expect(refusals(server, app)[0]).toMatchObject({ outcome: 'rejected', account: null, level: 40 })
  const twice = flow.parameters()
  twice.append('nonce', 'again')
  flow.toApp(await client.get(`/api/oauth/authorize?${twice}`))
  expectOAuthError(await flow.exchange('x', { client_secret: 'x' }), 401, 'invalid_client')
  expectOAuthError(await flow.exchange('x'), 400, 'invalid_grant')
  expectOAuthError(await flow.exchange('x', { grant_type: 'password' }), 400, 'unsupported_grant_type')
  const atToken = ['invalid_client', 'invalid_grant', 'invalid_request']
  await expect.poll(() => reasons(server, app).slice(asked.length)).toEqual(['repeated_parameter', ...atToken])
  await expect
    .poll(() => lastRefusal(server, app))
    .toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      reason: 'code_challenge_missing',
    })
  expect((await accounts(server, 'app', 'show', app.id)).stdout).toContain(`app change ${app.id} --no-pkce`)
})

test('whom a group or --require-passkey keeps out is one line with their account, whether or not they go back to the app', async ({
  startShared,
}) => {
  const server = await startShared()
  const client = new Client(server)
  const { id } = await signUp(client)
  const cases: [option: string[], reason: string, mends: string][] = [
    [['--group', 'staff'], 'group', '--no-group'],
    [['--require-passkey'], 'passkey', '--no-require-passkey'],
  ]
  for (const [options, reason, mends] of cases) {
    const app = await registerApp(server, CALLBACK, ...options)
    const flow = new Flow(client, app)
    const asked = await flow.ask()
    const expected = [expect.objectContaining({ account: id, reason })]
    expect(flow.toApp(await consent(client, asked, false)).has('error')).toBe(true)
    await expect.poll(() => refusals(server, app)).toEqual(expected)
    await expect.poll(() => lastRefusal(server, app)).toMatchObject({ reason })
    expect((await accounts(server, 'app', 'show', app.id)).stdout).toContain(`app change ${app.id} ${mends}`)
  }
})

test('who declines, or is not signed in for prompt=none, is a line, and nothing that app show tells to mend', async ({
  startShared,
}) => {
  const server = await startShared()
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  const { id } = await createAccount(client)
  expect((await new Flow(client, app).answer({}, false)).get('error')).toBe('access_denied')
  const silent = new Flow(client, app)
  expect(silent.toApp(await silent.ask({ prompt: 'none' })).get('error')).toBe('consent_required')
  await expect
    .poll(() => refusals(server, app))
    .toMatchObject([
      { account: id, reason: 'access_denied' },
      { account: id, reason: 'login_required' },
    ])
  expect(await lastRefusal(server, app)).toBeNull()
})

test('a refusal that another process has written within the minute stays, and one of a clock that was wrong does not', async ({
  startShared,
}) => {
  const server = await startShared()
  const client = new Client(server)
  const set = (id: string, at: number) =>
    executeSql(
      server.databaseUrl,
      `UPDATE "App" SET "lastRefusal" = 'invalid_scope', "lastRefusedAt" = ${at} WHERE "id" = '${id}'`,
    )
  const askWrongly = async (at: number) => {
    const app = await registerApp(server, CALLBACK)
    set(app.id, at)
    const flow = new Flow(client, app)
    flow.toApp(await flow.ask({ response_type: 'token' }))
    return app
  }
  const kept = await askWrongly(Date.now() - 1_000)
  for (const at of [Date.now() - 61_000, Date.now() + 3_600_000]) {
    const app = await askWrongly(at)
    await expect.poll(async () => (await lastRefusal(server, app)).reason).toBe('unsupported_response_type')
  }
  expect(await lastRefusal(server, kept)).toMatchObject({ reason: 'invalid_scope' })
})

test('an address that is not registered, to sign in or after a sign-out, is in the log, bounded and in visible ASCII', async ({
  startShared,
}) => {
  const server = await startShared()
  const client = new Client(server)
  const app = await registerApp(server, CALLBACK)
  const { id } = await signUp(client)
  const { id_token } = await new Flow(client, app).tokens()
  const long = `https://x.example/"\u202e${'y'.repeat(300)}`
  const uri = `https://x.example/"%E2%80%AE${'y'.repeat(172)}...`
  expect((await new Flow(client, app).ask({ redirect_uri: long })).status).toBe(400)
  const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: long })
  expect((await client.get(`/api/oauth/logout?${query}`)).headers.location).toMatch(/^\/signout\?/)
  await expect
    .poll(() => refusals(server, app))
    .toMatchObject([
      { account: id, reason: 'redirect_uri_not_registered', uri },
      { account: id, reason: 'sign_out_uri_not_registered', uri },
    ])
})
