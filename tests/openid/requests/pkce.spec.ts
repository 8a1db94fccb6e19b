import { signUp } from '../../support/accounts'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { codeChallengeOf, Flow } from '../../support/openid/flow'
import { expectOAuthError } from '../../support/openid/requests'

test('S256 is checked: a wrong verifier, a missing one and plain are rejected', async ({ client, app }) => {
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

test('a missing challenge is rejected, and the description names --no-pkce', async ({ client, app }) => {
  const flow = new Flow(client, app)
  const query = flow.toApp(await flow.ask({ code_challenge: undefined, code_challenge_method: undefined }))
  expect(query.get('error')).toBe('invalid_request')
  expect(query.get('error_description')).toContain('--no-pkce')
})

test('with --no-pkce a challenge that is sent is checked, and a verifier without one is rejected', async ({
  client,
  appWith,
}) => {
  const app = await appWith(CALLBACK, 'com.example.app:/callback', '--no-pkce')
  await signUp(client)
  const none = { code_challenge: undefined, code_challenge_method: undefined }
  const plain = new Flow(client, app)
  expect((await plain.exchange(await plain.code(none), { code_verifier: undefined })).status).toBe(200)
  const downgraded = new Flow(client, app)
  expectOAuthError(await downgraded.exchange(await downgraded.code(none)), 400, 'invalid_grant')
  const checked = new Flow(client, app)
  expectOAuthError(await checked.exchange(await checked.code(), { code_verifier: undefined }), 400, 'invalid_grant')
  const native = new Flow(client, { ...app, redirectUri: 'com.example.app:/callback' })
  const location = String((await native.ask(none)).headers.location)
  expect(location).toMatch(/^com\.example\.app:\/callback\?error=invalid_request/)
})
