import { Client } from '../../support/client'
import { CALLBACK, expect, registerApp, test } from '../../support/openid/fixtures'

test('the discovery document is complete, consistent with the issuer, the same at both paths, and for any origin', async ({
  client,
  server,
}) => {
  const answer = await client.get('/.well-known/openid-configuration')
  const { origin } = server
  expect(answer.body).toEqual({
    issuer: origin,
    authorization_endpoint: `${origin}/api/oauth/authorize`,
    token_endpoint: `${origin}/api/oauth/token`,
    device_authorization_endpoint: `${origin}/api/oauth/device`,
    revocation_endpoint: `${origin}/api/oauth/revoke`,
    userinfo_endpoint: `${origin}/api/oauth/userinfo`,
    end_session_endpoint: `${origin}/api/oauth/logout`,
    jwks_uri: `${origin}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'client_credentials',
    ],
    scopes_supported: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    claims_supported: expect.arrayContaining(['sub', 'preferred_username', 'email', 'groups', 'acr', 'sid']),
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    acr_values_supported: ['phr', 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
    ui_locales_supported: ['en', 'de', 'fr', 'es', 'ja', 'ar'],
    subject_types_supported: ['public'],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
  })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['cache-control']).toBe('public, max-age=300')
  // A cache would repeat it to others.
  expect(answer.headers).not.toHaveProperty('x-request-id')
  const other = await client.get('/.well-known/oauth-authorization-server')
  expect(other.body).toEqual(answer.body)
})

test('an app may keep a client id that it had elsewhere', async ({ server }) => {
  const id = `kept_${Date.now()}.-A`
  expect((await registerApp(server, CALLBACK, '--id', id)).id).toBe(id)
  const client = new Client(server)
  expect((await client.get(`/api/oauth/authorize?client_id=${id}&redirect_uri=${CALLBACK}`)).status).toBe(303)
})
