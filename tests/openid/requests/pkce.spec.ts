import { signUp } from '../../support/accounts'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { codeChallengeOf, Flow } from '../../support/openid/flow'
import { expectOAuthError, verifyIdToken } from '../../support/openid/requests'

test('S256 is checked: a wrong verifier, a missing one and plain are rejected @promise', async ({ client, app }) => {
  await signUp(client)
  for (const code_verifier of [undefined, '', 'x'.repeat(43), codeChallengeOf('x')]) {
    const flow = new Flow(client, app)
    expectOAuthError(await flow.exchange(await flow.code(), { code_verifier }), 400, 'invalid_grant')
  }
  const flow = new Flow(client, app)
  for (const changes of [
    { code_challenge: flow.verifier, code_challenge_method: 'plain' },
    { code_challenge: flow.verifier, code_challenge_method: undefined },
    { code_challenge: 'short' },
  ])
    expect(flow.toApp(await flow.ask(changes)).get('error')).toBe('invalid_request')
})

const none = { code_challenge: undefined, code_challenge_method: undefined }

test('a request with neither challenge nor nonce is rejected, and the description names --no-pkce @promise', async ({
  client,
  app,
}) => {
  const flow = new Flow(client, app)
  for (const nonce of [undefined, '']) {
    const query = flow.toApp(await flow.ask({ ...none, nonce }))
    expect(query.get('error')).toBe('invalid_request')
    expect(query.get('error_description')).toContain('--no-pkce')
  }
})

test('an app with a secret may send a nonce in place of a challenge, and then no verifier', async ({ client, app }) => {
  await signUp(client)
  const flow = new Flow(client, app)
  const answer = await flow.exchange(await flow.code(none), { code_verifier: undefined })
  expect(answer.status, answer.text).toBe(200)
  expect((await verifyIdToken(client.server, answer.body.id_token, app.id)).nonce).toBe(flow.nonce)
  const downgraded = new Flow(client, app)
  expectOAuthError(await downgraded.exchange(await downgraded.code(none)), 400, 'invalid_grant')
})

test('a nonce stands for no challenge of a public app, of a scheme of its own, or with --require-pkce @promise', async ({
  client,
  appWith,
}) => {
  const apps = [
    await appWith(CALLBACK, '--public'),
    await appWith(CALLBACK, '--require-pkce'),
    await appWith('com.example.app:/callback'),
  ]
  for (const app of apps) {
    const location = new URL(String((await new Flow(client, app).ask(none)).headers.location))
    expect(location.searchParams.get('error'), app.redirectUri).toBe('invalid_request')
    expect(location.searchParams.get('error_description')).toMatch(/^code_challenge is missing\./)
  }
})

test('with --no-pkce a challenge that is sent is checked, and a verifier without one is rejected @promise', async ({
  client,
  appWith,
}) => {
  const app = await appWith(CALLBACK, 'com.example.app:/callback', '--no-pkce')
  await signUp(client)
  const plain = new Flow(client, app)
  expect(
    (await plain.exchange(await plain.code({ ...none, nonce: undefined }), { code_verifier: undefined })).status,
  ).toBe(200)
  const downgraded = new Flow(client, app)
  expectOAuthError(await downgraded.exchange(await downgraded.code(none)), 400, 'invalid_grant')
  const checked = new Flow(client, app)
  expectOAuthError(await checked.exchange(await checked.code(), { code_verifier: undefined }), 400, 'invalid_grant')
  const native = new Flow(client, { ...app, redirectUri: 'com.example.app:/callback' })
  const location = String((await native.ask(none)).headers.location)
  expect(location).toMatch(/^com\.example\.app:\/callback\?error=invalid_request/)
})
