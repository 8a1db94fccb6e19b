import { createRemoteJWKSet, type JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import { accountsCommand, isLoopback, type Settings, SetupError } from './settings.js'

/** Who is signed in. Keep an app's data under `id`, which never changes; `name` is for display alone. */
export interface User {
  /** The claim `sub` */
  id: string
  username: string
  name: string
  /** Null unless the provider has verified it */
  email: string | null
  groups: string[]
}

const hour = 3_600_000
/** Seconds after which a provider that does not answer has failed */
const timeout = 10

const known = new Map<string, { read: Promise<oidc.Configuration>; until: number }>()

/**
 * What the provider says of itself (OpenID Connect Discovery), kept for an hour. ID tokens come straight from the provider, but
 * their signatures are checked all the same (`enableNonRepudiationChecks`).
 *
 * @throws SetupError if nothing, or something else, answers there
 */
export function discover(
  settings: Pick<Settings, 'issuer' | 'clientId' | 'clientSecret'>,
): Promise<oidc.Configuration> {
  const key = JSON.stringify([settings.issuer.href, settings.clientId, settings.clientSecret])
  const before = known.get(key)
  if (before && before.until > Date.now()) return before.read
  const read = requestMetadata(settings)
  known.set(key, { read, until: Date.now() + hour })
  read.catch(() => known.delete(key))
  return read
}

async function requestMetadata({
  issuer,
  clientId,
  clientSecret,
}: Pick<Settings, 'issuer' | 'clientId' | 'clientSecret'>) {
  const onDevice = issuer.protocol === 'http:' && isLoopback(issuer.hostname)
  const execute = [oidc.enableNonRepudiationChecks, ...(onDevice ? [oidc.allowInsecureRequests] : [])]
  // Providers may know one way only; the first is the default of OpenID Connect Discovery section 3.
  const authentication: oidc.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const way = !methods || methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    way(clientSecret)(server, client, body, headers)
  }
  const options = { execute, timeout }
  const configuration = await oidc
    .discovery(issuer, clientId, { client_secret: clientSecret }, authentication, options)
    .catch((error) => {
      throw new SetupError(discoveryFault(issuer, error))
    })
  const metadata = configuration.serverMetadata()
  for (const endpoint of [
    metadata.authorization_endpoint,
    metadata.token_endpoint,
    metadata.jwks_uri,
    metadata.userinfo_endpoint,
  ]) {
    const url = endpoint && URL.canParse(endpoint) ? new URL(endpoint) : null
    // Plain http, which is allowed for a provider on this device, must not lead off it.
    if (url?.protocol === 'http:' && !isLoopback(url.hostname))
      throw new SetupError(
        `The provider at ${issuer.href} names ${endpoint}, which is not https. Mend the provider's settings.`,
      )
  }
  return configuration
}

function discoveryFault(issuer: URL, error: unknown): string {
  const address = issuer.href.replace(/\/$/, '')
  const { code, cause } = error as { code?: string; cause?: { body?: { issuer?: string } } }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return `LATCHKEY_ISSUER is ${address}, but the provider there calls itself by another address. Set LATCHKEY_ISSUER=${cause?.body?.issuer ?? 'that'}`
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON' || code === 'OAUTH_PARSE_ERROR')
    return `At LATCHKEY_ISSUER, ${address}, something else than an OpenID provider answers. Set it to the address that Latchkey prints at its start.`
  const start = isLoopback(issuer.hostname) ? 'Start Latchkey: npx latchkey dev' : 'See whether Latchkey runs there.'
  return `At LATCHKEY_ISSUER, ${address}, nothing answers. ${start}`
}

/** The scopes that the provider has, of those that the app asks for: some reject a request with one that they do not know. */
export function scopesOf(configuration: oidc.Configuration, { scope, offline }: Settings): string {
  const supported = configuration.serverMetadata().scopes_supported
  const asked = [...scope.split(/\s+/).filter(Boolean), ...(offline ? ['offline_access'] : [])]
  return [...new Set(['openid', ...asked.filter((one) => !supported || supported.includes(one))])].join(' ')
}

/** Latchkey puts all claims into the ID token; other providers give them at userinfo, with the same `sub` (section 5.3.2). */
export async function claimsOf(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): Promise<JWTPayload> {
  const claims: JWTPayload = tokens.claims() ?? {}
  if (typeof claims.preferred_username === 'string' || typeof claims.sub !== 'string') return claims
  if (!configuration.serverMetadata().userinfo_endpoint) return claims
  return { ...(await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims }
}

export function userOf(claims: JWTPayload): User {
  const text = (name: string) => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : null)
  const id = text('sub') ?? ''
  const username = text('preferred_username') ?? id
  // Whoever may type any address into the provider must not be taken for its owner here.
  const email = claims.email_verified === true ? text('email') : null
  const groups = Array.isArray(claims.groups) ? claims.groups.filter((group) => typeof group === 'string') : []
  return { id, username, name: text('name') ?? username, email, groups }
}

/** What to do about a failed exchange, for the developer. */
export function exchangeFault(error: unknown, { issuer, clientId }: Settings): string {
  const { error: code, error_description: description, message, cause } = error as Failure
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return `The provider does not accept LATCHKEY_CLIENT_ID ${clientId} with this LATCHKEY_CLIENT_SECRET. Run where Latchkey is, and set LATCHKEY_CLIENT_SECRET to what this prints: ${accountsCommand(issuer)} app new-secret ${clientId}`
  if (code === 'invalid_grant')
    return `The provider does not take this code (invalid_grant): it was used before, is over a minute old, or was made for another redirect URI. Sign in again.`
  if (code) return `The provider answered ${code}${description ? `: ${description}` : ''}`
  const inner = cause instanceof Error ? `: ${cause.message}` : ''
  return `The sign-in was refused: ${message}${inner}`
}

interface Failure {
  error?: string
  error_description?: string
  message?: string
  cause?: unknown
}

const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

/** The provider's keys, kept for the five minutes that Latchkey's `Cache-Control` allows. @param address its `jwks_uri` */
export function keysAt(address: string): ReturnType<typeof createRemoteJWKSet> {
  const keys = keySets.get(address) ?? createRemoteJWKSet(new URL(address), { cacheMaxAge: 300_000 })
  keySets.set(address, keys)
  return keys
}

/** jose has no code for a connection that fails, and these for an answer that is no key set, or none in time. */
export const isOutage = ({ code }: { code?: string }) =>
  !code?.startsWith('ERR_J') || code === 'ERR_JOSE_GENERIC' || code === 'ERR_JWKS_TIMEOUT'
