import * as oidc from 'openid-client'
import { createAccount } from '../../support/accounts'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { consent, isConsent } from '../../support/openid/requests'

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
