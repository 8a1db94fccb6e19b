import type { Path } from '@/lib/api/endpoints'
import type { Discovery } from '@/lib/api/schemas'
import { locales } from '@/lib/messages/locales'
import { acrValues } from '@/lib/openid/grants/passkey-acr'
import { knownScopes } from '@/lib/openid/grants/scopes'
import { challengeMethod, knownPrompts, responseModes } from '@/lib/openid/requests/parameters'
import { signingAlgorithm } from '@/lib/openid/tokens/signed-tokens'
import { grantTypes } from '@/lib/openid/tokens/token-endpoint'
import { settings } from '@/lib/settings/settings'

const authMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** OpenID Connect Discovery section 3, RFC 8414, RFC 9207. */
export function discovery(): Response {
  const [issuer] = settings().origins
  const at = (path: Path) => issuer + path
  const body: Discovery = {
    issuer,
    authorization_endpoint: at('/api/oauth/authorize'),
    token_endpoint: at('/api/oauth/token'),
    revocation_endpoint: at('/api/oauth/revoke'),
    userinfo_endpoint: at('/api/oauth/userinfo'),
    end_session_endpoint: at('/api/oauth/logout'),
    jwks_uri: at('/.well-known/jwks.json'),
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: grantTypes,
    scopes_supported: [...knownScopes],
    claims_supported: [
      ...['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'amr', 'acr', 'sid', 'at_hash'],
      ...['preferred_username', 'name', 'updated_at', 'email', 'email_verified', 'groups'],
    ],
    id_token_signing_alg_values_supported: [signingAlgorithm],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: [challengeMethod],
    prompt_values_supported: knownPrompts,
    acr_values_supported: acrValues,
    ui_locales_supported: locales,
    subject_types_supported: ['public'],
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: true,
  }
  return Response.json(body, { headers: { 'Cache-Control': 'public, max-age=300' } })
}
