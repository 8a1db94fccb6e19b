import { changeDisplayName, changeUsername, randomName, signUp } from '../../support/accounts'
import { expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectOAuthError, postForm, userinfo } from '../../support/openid/requests'

test('userinfo answers by GET with header, by POST with header and by POST with body', async ({ client, app }) => {
  const { id, username } = await signUp(client)
  const { access_token: token } = await new Flow(client, app).tokens()
  const Authorization = `Bearer ${token}`
  const claims = { sub: id, preferred_username: username, name: username, updated_at: expect.any(Number) }
  const path = '/api/oauth/userinfo'
  for (const answer of [
    await userinfo(client, token),
    await postForm(client, path, {}, { Authorization }),
    await postForm(client, path, { access_token: token }),
  ]) {
    expect([answer.status, answer.body], answer.text).toEqual([200, claims])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  }
  const both = await postForm(client, path, { access_token: token }, { Authorization })
  expectOAuthError(both, 400, 'invalid_request')
})

test('userinfo without an access token is a challenge that has no error code', async ({ client }) => {
  const path = '/api/oauth/userinfo'
  for (const answer of [await client.get(path), await postForm(client, path, {}), await userinfo(client, '')]) {
    expectOAuthError(answer, 401, 'invalid_token')
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  }
})

test('userinfo and the ID token have a new username and display name at once', async ({ client, app }) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const { access_token, claims } = await flow.signIn()
  const username = randomName()
  expect((await changeUsername(client, username)).status).toBe(200)
  const { body } = await userinfo(client, access_token)
  expect([body.preferred_username, body.name]).toEqual([username, username])
  expect(body.updated_at).toBeGreaterThanOrEqual(Number(claims.updated_at))
  expect((await changeDisplayName(client, 'Ada Lovelace')).status).toBe(200)
  const named = { preferred_username: username, name: 'Ada Lovelace' }
  expect((await userinfo(client, access_token)).body).toMatchObject(named)
  expect((await flow.signIn()).claims).toMatchObject(named)
})
