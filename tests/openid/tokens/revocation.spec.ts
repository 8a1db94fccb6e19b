import { createAccount } from '../../support/accounts'
import { Client } from '../../support/client'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectEnded, expectOAuthError, userinfo } from '../../support/openid/requests'
import { withOtherCharacter } from '../../support/tokens/tokens'

test('revoking a refresh token, used or not, ends its family and the access tokens, and no other family', async ({
  client,
  app,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const other = await flow.lastingTokens()
  for (const pick of ['used', 'newest'] as const) {
    const first = await flow.lastingTokens()
    const second = (await flow.refresh(first.refresh_token)).body
    const answer = await flow.revoke(pick === 'used' ? first.refresh_token : second.refresh_token)
    expect([answer.status, answer.text]).toEqual([200, ''])
    for (const token of [first.access_token, second.access_token]) await expectEnded(client, token)
    expectOAuthError(await flow.refresh(second.refresh_token), 400, 'invalid_grant')
  }
  expect((await flow.refresh(other.refresh_token)).status).toBe(200)
})

test('revoking an access token ends that token alone', async ({ client, app }) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const first = await flow.lastingTokens()
  const second = (await flow.refresh(first.refresh_token)).body
  expect((await flow.revoke(first.access_token, { token_type_hint: 'access_token' })).status).toBe(200)
  await expectEnded(client, first.access_token)
  expect((await userinfo(client, second.access_token)).status).toBe(200)
  expect((await flow.refresh(second.refresh_token)).status).toBe(200)
  const { access_token } = await new Flow(client, app).tokens()
  expect((await flow.revoke(access_token, { token_type_hint: 'refresh_token' })).status).toBe(200)
  await expectEnded(client, access_token)
})

test("another app's tokens are left alone, and unknown ones are 200, too @promise", async ({
  client,
  app,
  appWith,
}) => {
  await createAccount(client)
  const other = new Flow(client, await appWith(CALLBACK, 'https://other.example.com/'))
  const flow = new Flow(client, app)
  const { access_token, refresh_token, id_token } = await flow.lastingTokens()
  for (const token of [access_token, refresh_token]) expect((await other.revoke(token)).status).toBe(200)
  const altered = withOtherCharacter(refresh_token, 30)
  for (const token of [id_token, altered, refresh_token.slice(0, 22), 'unknown', 'a\0b'])
    expect((await flow.revoke(token)).status).toBe(200)
  expect((await userinfo(client, access_token)).status).toBe(200)
  expect((await flow.refresh(refresh_token)).status).toBe(200)
})

test('only the app itself revokes, by its secret or as a public app, and there must be a token', async ({
  client,
  app,
  appWith,
}) => {
  await createAccount(client)
  const flow = new Flow(client, app)
  const { refresh_token } = await flow.lastingTokens()
  expectOAuthError(await flow.revoke(refresh_token, { client_secret: 'wrong' }), 401, 'invalid_client')
  expectOAuthError(await flow.revoke(refresh_token, { client_secret: undefined }), 401, 'invalid_client')
  expectOAuthError(await flow.revoke(undefined), 400, 'invalid_request')
  const byGet = await new Client(client.server).get('/api/oauth/revoke')
  expect([byGet.status, byGet.headers.allow]).toEqual([405, 'POST'])
  const basic = `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`
  const form = new URLSearchParams({ token: refresh_token }).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: basic }
  const revoked = await new Client(client.server).post('/api/oauth/revoke', undefined, { raw: form, headers: type })
  expect(revoked.status, revoked.text).toBe(200)
  expectOAuthError(await flow.refresh(refresh_token), 400, 'invalid_grant')
  const open = new Flow(client, await appWith(CALLBACK, '--public'))
  const tokens = await open.lastingTokens()
  expect((await open.revoke(tokens.refresh_token)).status).toBe(200)
  expectOAuthError(await open.refresh(tokens.refresh_token), 400, 'invalid_grant')
})
