import { createAccount } from '../../support/accounts'
import { Client } from '../../support/client'
import { test } from '../../support/network/split-deployment'
import { CALLBACK, expect, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, expectEnded, expectOAuthError, nextOf, userinfo, verifyIdToken } from '../../support/openid/requests'
import { readCode } from '../../support/openid/stored-codes'

test('an app signs people in through the front end of a split deployment', async ({
  splitDeployment: { frontEnd, backend },
}) => {
  const app = await registerApp(backend, CALLBACK)
  const client = new Client(frontEnd)
  for (const path of [
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/jwks.json',
  ]) {
    const [there, here] = [await new Client(backend).get(path), await client.get(path)]
    expect(here.body).toEqual(there.body)
    expect([here.headers['cache-control'], here.headers['access-control-allow-origin']]).toEqual([
      'public, max-age=300',
      '*',
    ])
  }
  const flow = new Flow(client, app)
  const next = nextOf(await flow.ask())
  const { id } = await createAccount(client)
  const code = flow.toApp(await consent(client, await client.get(next))).get('code') ?? ''
  const { body } = await flow.exchange(code)
  expect((await verifyIdToken(frontEnd, body.id_token, app.id)).sub).toBe(id)
  expect((await userinfo(client, body.access_token)).body.sub).toBe(id)
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  await expectEnded(client, body.access_token)
  const byGet = await client.get('/api/oauth/token')
  expectOAuthError(byGet, 405, 'invalid_request')
})

test('while the database is away, errors keep the format of the protocol', { tag: '@networked' }, async ({
  start,
  ownPostgres,
}) => {
  test.slow()
  const server = await start({ env: { DATABASE_URL: ownPostgres.createDatabase() } })
  const app = await registerApp(server, CALLBACK)
  const client = new Client(server)
  await createAccount(client)
  const { access_token } = await new Flow(client, app).tokens()
  const flow = new Flow(client, app)
  const code = await flow.code()
  const published = (await client.get('/.well-known/jwks.json')).body
  await ownPostgres.halt()
  for (const answer of [await flow.ask(), await flow.exchange(code), await userinfo(client, access_token)]) {
    expectOAuthError(answer, 503, 'temporarily_unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await client.get('/.well-known/jwks.json')).body).toEqual(published)
  await ownPostgres.launch()
  await expect.poll(async () => (await userinfo(client, access_token)).status).toBe(200)
})

test('two instances share apps, keys, codes and consent, and a code that both get at once is good once @storage', async ({
  server,
  start,
}) => {
  const app = await registerApp(server, CALLBACK)
  const second = await start({ beside: server, env: { APP_ORIGIN: server.origin } })
  const [here, there] = [new Client(server), new Client(second)]
  const { id } = await createAccount(here)
  there.jar.set('latchkey-session', here.jar.get('latchkey-session') ?? '')
  const flow = new Flow(here, app)
  const asked = await flow.ask()
  const code = flow.toApp(await consent(there, asked)).get('code') ?? ''
  const elsewhere = Object.assign(new Flow(there, app), { verifier: flow.verifier })
  const answers = await Promise.all([flow.exchange(code), elsewhere.exchange(code), flow.exchange(code)])
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  expect(readCode(server, code, 'ended')).toMatch(/^(1|t|true)$/)
  const tokens = await new Flow(there, app).tokens()
  expect((await verifyIdToken(server, tokens.id_token, app.id)).sub).toBe(id)
  expect((await userinfo(here, tokens.access_token)).body.sub).toBe(id)
  expect((await here.post('/api/i/apps/revoke', { id: app.id })).status).toBe(204)
  await expectEnded(there, tokens.access_token)
})
