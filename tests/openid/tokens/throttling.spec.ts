import { createAccount, createRecoveryCodes, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, expectOAuthError, requestOf, userinfo } from '../../support/openid/requests'
import { logLines } from '../../support/server/server-log'

const FEWEST = { RATE_LIMIT_LOGIN_MAX: '1' }
/** One wrong secret from an address, which a proxy names. */
const ONE = { RATE_LIMIT_ADDRESS_MAX: '1', TRUSTED_PROXIES: '1' }

test('wrong secrets are limited by address and app together, and a right one is never rejected for it', async ({
  startShared,
}) => {
  const server = await startShared({ env: ONE })
  const client = new Client(server)
  const [app, other] = [await registerApp(server, CALLBACK), await registerApp(server, CALLBACK)]
  await createAccount(client)
  const flow = new Flow(client, app)
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  const wrong = { client_secret: 'wrong' }
  expectOAuthError(await flow.exchange('x', wrong, from('203.0.113.1')), 401, 'invalid_client')
  const limited = await flow.exchange('x', wrong, from('203.0.113.1'))
  expectOAuthError(limited, 429, 'temporarily_unavailable')
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expectOAuthError(await new Flow(client, other).exchange('x', wrong, from('203.0.113.1')), 401, 'invalid_client')
  expectOAuthError(await flow.exchange('x', wrong, from('203.0.113.2')), 401, 'invalid_client')
  expect((await flow.exchange(await flow.code(), {}, from('203.0.113.1'))).status).toBe(200)
  const rejected = () =>
    logLines(server.output()).filter(({ event, app: id }) => event === 'app_rejected' && id === app.id)
  await expect.poll(() => rejected().map(({ address }) => address)).toEqual(['203.0.113.1', '203.0.113.2'])
})

test('wrong secrets from one IPv6 /48 are limited together, to ten times as many', async ({ startShared }) => {
  const server = await startShared({ env: ONE })
  const client = new Client(server)
  const [app, other] = [await registerApp(server, CALLBACK), await registerApp(server, CALLBACK)]
  const tryFrom = (address: string, to = app) =>
    new Flow(client, to).exchange('x', { client_secret: 'wrong' }, { 'X-Forwarded-For': address })
  for (let subnet = 0; subnet < 10; subnet += 1)
    expectOAuthError(await tryFrom(`2001:db8:1:${subnet}::1`), 401, 'invalid_client')
  expectOAuthError(await tryFrom('2001:db8:1:ffff::1'), 429, 'temporarily_unavailable')
  expectOAuthError(await tryFrom('2001:db8:2::1'), 401, 'invalid_client')
  expectOAuthError(await tryFrom('2001:db8:1:ffff::1', other), 401, 'invalid_client')
})

test('unknown apps share one count, so that they fill no table', async ({ startShared }) => {
  const server = await startShared({ env: ONE })
  const askAs = (id: string) =>
    new Flow(new Client(server), { id, name: '', secret: 'x', redirectUri: CALLBACK }).exchange(
      'x',
      {},
      { 'X-Forwarded-For': '203.0.113.9' },
    )
  expect([(await askAs('a')).status, (await askAs('b')).status]).toEqual([401, 429])
})

test('decisions on consent, either way, are limited apart from what takes a step-up', async ({ startShared }) => {
  const server = await startShared({ env: FEWEST })
  const client = new Client(server)
  await signUp(client)
  const app = await registerApp(server, CALLBACK)
  const asked = async () => requestOf(await new Flow(client, app).ask({ prompt: 'consent' }))
  const answer = async (allow: boolean, request?: string) =>
    client.post('/api/oauth/consent', { request: request ?? (await asked()), allow })
  for (let time = 0; time < 12; time += 1) expect((await answer(time % 2 === 0)).status).toBe(200)
  const request = await asked()
  for (const allow of [true, false]) expectError(await answer(allow, request), 429, 'too_many_attempts')
  await createRecoveryCodes(client)
})

test('revoked access tokens are limited by family of refresh tokens, and other families go on', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const client = new Client(server)
  await createAccount(client)
  const flow = new Flow(client, await registerApp(server, CALLBACK))
  let { access_token, refresh_token } = await flow.lastingTokens()
  for (let time = 0; time < 12; time += 1) {
    expect((await flow.revoke(access_token)).status).toBe(200)
    ;({ access_token, refresh_token } = (await flow.refresh(refresh_token)).body)
  }
  expectOAuthError(await flow.revoke(access_token), 429, 'temporarily_unavailable')
  expect((await userinfo(client, access_token)).status).toBe(200)
  const other = await flow.lastingTokens()
  expect((await flow.revoke(other.access_token)).status).toBe(200)
  expect((await flow.revoke(refresh_token)).status).toBe(200)
  await expectEnded(client, access_token)
})

test('letting a trusted app in again and again is limited, and taking its access away is not', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const client = new Client(server)
  await createAccount(client)
  const app = await registerApp(server, CALLBACK, '--trusted')
  const revoke = () => client.post('/api/i/apps/revoke', { id: app.id })
  for (let time = 0; time < 12; time += 1) {
    await new Flow(client, app).code()
    expect((await revoke()).status).toBe(204)
  }
  const answer = await new Flow(client, app).answer()
  expect(answer.get('error')).toBe('temporarily_unavailable')
  expectError(await revoke(), 404, 'not_found')
})

test('codes, tokens and addresses that are not good are counted in the security log', async ({ start }) => {
  const server = await start()
  const client = new Client(server)
  const flow = new Flow(client, await registerApp(server, CALLBACK))
  expectOAuthError(await flow.exchange('x'), 400, 'invalid_grant')
  expectOAuthError(await flow.refresh('x'), 400, 'invalid_grant')
  expect((await flow.ask({ redirect_uri: 'https://evil.example/callback' })).status).toBe(400)
  expect((await flow.ask({ client_id: 'unknown' })).status).toBe(400)
  expectOAuthError(await userinfo(client, 'x'), 401, 'invalid_token')
  await server.kill('SIGTERM')
  const lines = logLines(server.output())
  const counts = (name: string) => lines.filter(({ event }) => event === name).map(({ count }) => count)
  expect(counts('invalid_request')).toEqual([1, 3])
  expect(counts('not_signed_in')).toEqual([1])
})
