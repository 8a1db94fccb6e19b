// An app signs people in by OpenID Connect, as docs/openid.md says: it is registered by one command.
import * as oidc from 'openid-client'
import { createAccount, signUp } from '../support/accounts'
import {
  backAtApp,
  consentTitle,
  continueButton,
  ignoreRequestsTo,
  test as inBrowser,
  requestTo,
} from '../support/browser/app'
import { findViolations } from '../support/browser/axe'
import { alert, ready, signedOut, submitSignIn } from '../support/browser/pages'
import { Client } from '../support/client'
import { expectSignedOut } from '../support/expectations'
import { logoutToken, test as withBackChannel } from '../support/openid/back-channel'
import { CALLBACK, expect, registerApp, test } from '../support/openid/fixtures'
import { Flow } from '../support/openid/flow'
import { consent, expectEnded, expectOAuthError, isConsent, userinfo } from '../support/openid/requests'
import { afterTenSeconds } from '../support/openid/stored-codes'
import { accountsJson } from '../support/operator/accounts-command'

inBrowser(
  'a person who comes from an app signs in, sees once what the app will learn, and is back',
  async ({ page, app, faults }) => {
    const username = await signedOut(page)
    await page.goto(requestTo(app))
    await ready(page)
    await expect(page.getByRole('main')).toContainText(`Sign in to continue to ${app.name}.`)
    await submitSignIn(page, username, 'a wrong password')
    await expect(alert(page)).toContainText('Authentication Failed')
    await submitSignIn(page, username)
    await expect(consentTitle(page, app)).toBeVisible()
    await ready(page)
    await expect(page.getByRole('main')).toContainText(new URL(app.origin).host)
    await expect(page.getByRole('main')).toContainText(username)
    expect(await findViolations(page)).toEqual([])
    await expect(page.getByRole('main').getByRole('listitem')).toHaveText([
      `Your username: ${username}`,
      'Your name, once you have given one',
    ])
    await continueButton(page).click()
    expect((await backAtApp(page, app)).get('code')).toMatch(/^[\w-]{65}$/)
    await page.goto(requestTo(app))
    expect((await backAtApp(page, app)).has('code')).toBe(true)
    ignoreRequestsTo(app, faults)
  },
)

test('openid-client 6 discovers this server, signs somebody in and reads their claims, by either authentication', async ({
  client,
  app,
  server,
}) => {
  const { id, username } = await createAccount(client)
  // Tests have no TLS.
  const options = { execute: [oidc.allowInsecureRequests] }
  for (const authentication of [oidc.ClientSecretPost(app.secret), oidc.ClientSecretBasic(app.secret)]) {
    const config = await oidc.discovery(new URL(server.origin), app.id, undefined, authentication, options)
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
    const address = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email groups',
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
      nonce: expectedNonce,
    })
    const asked = await client.get(address.pathname + address.search)
    const answered = isConsent(asked) ? await consent(client, asked) : asked
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 600, idTokenExpected: true }
    const tokens = await oidc.authorizationCodeGrant(config, new URL(String(answered.headers.location)), checks)
    expect(tokens.claims()).toMatchObject({ sub: id, preferred_username: username })
    const claims = await oidc.fetchUserInfo(config, tokens.access_token, id)
    expect(claims).toMatchObject({ sub: id, name: username })
  }
})

test('an app learns what its scopes name and no more, and a person who declines is back without a code', async ({
  client,
  app,
  server,
}) => {
  const { id, username } = await signUp(client)
  await accountsJson(server, 'email', username, `${username}@example.com`)
  await accountsJson(server, 'group', 'add', username, username)
  const declined = await new Flow(client, app).answer({ scope: 'openid' }, false)
  expect([declined.get('error'), declined.has('code')]).toEqual(['access_denied', false])
  const { access_token, claims } = await new Flow(client, app).signIn({ scope: 'openid' })
  for (const claim of ['preferred_username', 'email', 'groups']) expect(claims).not.toHaveProperty(claim)
  expect((await userinfo(client, access_token)).body).toEqual({ sub: id })
})

test('a code is good once, for one app, with its secret and its verifier', async ({ client, app, server }) => {
  await signUp(client)
  const flow = new Flow(client, app)
  expectOAuthError(await flow.exchange(await flow.code(), { client_secret: 'wrong' }), 401, 'invalid_client')
  expectOAuthError(await flow.exchange(await flow.code(), { code_verifier: 'v'.repeat(43) }), 400, 'invalid_grant')
  const other = await registerApp(server, CALLBACK)
  const asOther = { client_id: other.id, client_secret: other.secret }
  expectOAuthError(await flow.exchange(await flow.code(), asOther), 400, 'invalid_grant')

  const code = await flow.code()
  const first = await flow.exchange(code)
  expect(first.status, first.text).toBe(200)
  expectOAuthError(await flow.exchange(code), 400, 'invalid_grant')
  // Somebody else may have used it first.
  await expectEnded(client, first.body.access_token)
})

test('a code never goes to an address that is not registered', async ({ client, app }) => {
  await signUp(client)
  for (const redirect_uri of [`${CALLBACK}/`, `${CALLBACK}?a=b`, 'https://app.example.com.evil.example/callback', ''])
    for (const answer of [await new Flow(client, app).ask({ redirect_uri })])
      expect([answer.status, answer.headers.location], redirect_uri).toEqual([400, undefined])
})

test('a refresh token works once: who uses an old one ends the access of both', async ({ client, server }) => {
  await signUp(client)
  const flow = new Flow(client, await registerApp(server, CALLBACK, '--trusted'))
  const first = await flow.lastingTokens()
  const second = (await flow.refresh(first.refresh_token)).body
  // Within ten seconds the app may not have got the answer.
  expect((await flow.refresh(first.refresh_token)).body.refresh_token).toBe(second.refresh_token)
  await afterTenSeconds(server, first.refresh_token)
  expectOAuthError(await flow.refresh(first.refresh_token), 400, 'invalid_grant')
  expectOAuthError(await flow.refresh(second.refresh_token), 400, 'invalid_grant')
  await expectEnded(client, second.access_token)
})

test('access ends with the session that gave it, and with a press on the profile', async ({ client, app, server }) => {
  const { username } = await signUp(client)
  const first = await new Flow(client, app).tokens()
  expect((await client.post('/api/i/apps/revoke', { id: app.id })).status).toBe(204)
  await expectEnded(client, first.access_token)
  const second = await new Flow(client, app).tokens()
  expect((await userinfo(client, second.access_token)).body.preferred_username).toBe(username)
  await client.post('/api/signout')
  await expectEnded(new Client(server), second.access_token)
})

withBackChannel(
  'signing out at one app ends the session here, and the other apps are told',
  async ({ client, server, listening }) => {
    const { id, token } = await signUp(client)
    await new Flow(client, listening).signIn()
    const app = await registerApp(server, CALLBACK, '--sign-out-uri', 'https://app.example.com/bye')
    const { id_token, claims } = await new Flow(client, app).signIn()
    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: 'https://app.example.com/bye',
    })
    const answer = await client.get(`/api/oauth/logout?${query}`)
    expect([answer.status, answer.headers.location]).toEqual([303, 'https://app.example.com/bye'])
    await expectSignedOut(new Client(server, { bearer: token }))
    expect(await logoutToken(server, listening)).toMatchObject({ sub: id, sid: claims.sid })
  },
)
