import type { Path } from '@/lib/api/endpoints'
import { ApiError } from '@/lib/api/errors'
import type { AssetLinks, AssociatedApps, Discovery, KeySet } from '@/lib/api/schemas'
import { accessKeys } from '@/lib/auth/tokens/access-tokens'
import { locales } from '@/lib/messages/locales'
import { knownScopes } from '@/lib/openid/apps/app'
import { challengeMethod, knownPrompts, responseModes } from '@/lib/openid/requests/parameters'
import { grantTypes } from '@/lib/openid/token-endpoint'
import { signingAlgorithm } from '@/lib/openid/tokens/access-and-id-tokens'
import { acrValues } from '@/lib/openid/tokens/claims'
import { publicKeys } from '@/lib/openid/tokens/signing-keys'
import { singleton } from '@/lib/process/singleton'
import { isUnder } from '@/lib/settings/fields'
import { settings } from '@/lib/settings/settings'
import { type Answer, json } from '../response/result'

/** W3C, "A Well-Known URL for Changing Passwords". 404 where PASSWORDS is off, so that managers offer no change. */
export const redirectToChangePassword = (): Answer => ({
  status: 302,
  headers: [['Location', '/profile#password']],
  body: null,
})

/** W3C, "A Well-Known URL for Relying Party Passkey Endpoints". */
export function passkeyEndpoints(): Answer {
  const page = `${settings().origins[0]}/passkeys`
  return json({ enroll: page, manage: page })
}

/**
 * The origins that may use our passkeys (WebAuthn level 3, section 5.11), without the one whose host has the RP ID: browsers
 * fetch the list there. After a move, that is not the first origin.
 */
export function relatedOrigins(): Answer {
  const { origins, rpId } = settings()
  const own = origins.find((origin) => isUnder(new URL(origin).hostname, rpId))
  return json({ origins: origins.filter((origin) => origin !== own) })
}

/**
 * Services may cache the keys this long: they have the new key before the second step of changing the secret, and drop an old
 * one by the time its last token expires.
 */
const keySetSeconds = 300

export async function keySet(): Promise<Answer> {
  const own = (await accessKeys()).map(({ publicKey }) => publicKey)
  const body: KeySet = { keys: [...own, ...(await publicKeys())] }
  return json(body, { headers: [['Cache-Control', `public, max-age=${keySetSeconds}`]] })
}

const authMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** The discovery document (OpenID Connect Discovery section 3, RFC 8414, RFC 9207). */
export const discovery = (): Answer =>
  json(singleton('discovery', discoveryText), { headers: [['Cache-Control', 'public, max-age=300']] })

function discoveryText(): string {
  const [issuer] = settings().origins
  const at = (path: Path) => issuer + path
  const body: Discovery = {
    issuer,
    authorization_endpoint: at('/api/oauth/authorize'),
    token_endpoint: at('/api/oauth/token'),
    device_authorization_endpoint: at('/api/oauth/device'),
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
    ...(settings().clientDocuments !== null && { client_id_metadata_document_supported: true }),
  }
  return JSON.stringify(body)
}

/**
 * Google, "Digital Asset Links": Credential Manager fetches it before it gives an app our passkeys.
 *
 * @throws ApiError not_found without ANDROID_APPS
 */
export function assetLinks(): Answer {
  const statements: AssetLinks = settings().androidApps.map(({ packageName, fingerprints }) => ({
    relation: ['delegate_permission/common.get_login_creds'],
    target: { namespace: 'android_app', package_name: packageName, sha256_cert_fingerprints: fingerprints },
  }))
  if (statements.length === 0) throw new ApiError('not_found')
  return json(statements)
}

/** Apple, "Supporting associated domains". @throws ApiError not_found without APPLE_APPS */
export function associatedApps(): Answer {
  const apps = settings().appleApps
  if (apps.length === 0) throw new ApiError('not_found')
  const body: AssociatedApps = { webcredentials: { apps } }
  return json(body)
}
