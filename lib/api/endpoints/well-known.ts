import * as z from 'zod'
import type { Endpoints } from './endpoint'

/** Verifies access tokens of `/api/token`: a public key as JWK (RFC 7517), with its thumbprint as `kid` (RFC 7638). */
const ecKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
})

/** Verifies what apps get by OpenID Connect. */
const rsaKey = z.object({
  kty: z.literal('RSA'),
  n: z.string(),
  e: z.string(),
  kid: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
})

/** A JWK Set (RFC 7517 section 5). */
export const keySet = z.object({ keys: z.array(z.discriminatedUnion('kty', [ecKey, rsaKey])) })

const names = z.array(z.string())

/** OpenID Connect Discovery section 3. */
export const discovery = z.looseObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url(),
  device_authorization_endpoint: z.url(),
  revocation_endpoint: z.url(),
  end_session_endpoint: z.url(),
  jwks_uri: z.url(),
  response_types_supported: names,
  subject_types_supported: names,
  id_token_signing_alg_values_supported: names,
  scopes_supported: names,
})

/** A Digital Asset Links statement list. */
export const assetLinks = z.array(
  z.object({
    relation: z.tuple([z.literal('delegate_permission/common.get_login_creds')]),
    target: z.object({
      namespace: z.literal('android_app'),
      package_name: z.string(),
      sha256_cert_fingerprints: z.array(z.string()),
    }),
  }),
)

/** Apple's associated domains file. */
export const associatedApps = z.object({ webcredentials: z.object({ apps: z.array(z.string()) }) })

export const passkeyEndpoints = z.object({ enroll: z.url(), manage: z.url() })
export const relatedOrigins = z.object({ origins: z.array(z.string()) })

export type EcKey = z.infer<typeof ecKey>
export type RsaKey = z.infer<typeof rsaKey>
export type Discovery = z.infer<typeof discovery>
export type KeySet = z.infer<typeof keySet>
export type AssetLinks = z.infer<typeof assetLinks>
export type AssociatedApps = z.infer<typeof associatedApps>

/** How many attempts succeeded and failed, and how many messages wait for their next one. */
export const deliveries = z.object({ delivered: z.int(), failed: z.int(), waiting: z.int() })

/** A picture, in place of JSON. */
export const image = z.file()

/** An OpenAPI document. */
export const openApi = z.looseObject({ openapi: z.string() })

/** A page, in place of JSON. */
export const page = z.string()

export const wellKnownEndpoints = {
  'GET /.well-known/jwks.json': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: keySet },
    errors: [],
    summary: 'The keys that access, ID and logout tokens verify with (RFC 7517)',
  },
  'GET /.well-known/openid-configuration': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: discovery },
    errors: [],
    summary: 'What apps need to know of this server (OpenID Connect Discovery)',
  },
  'GET /.well-known/oauth-authorization-server': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: discovery },
    errors: [],
    summary: 'What apps need to know of this server (OAuth 2.0 Authorization Server Metadata, RFC 8414)',
  },
  'GET /.well-known/change-password': {
    caller: 'anyone',
    usesPassword: true,
    results: { 302: null },
    errors: [],
    summary: 'Redirects to the page that changes the password',
  },
  'GET /.well-known/passkey-endpoints': {
    caller: 'anyone',
    results: { 200: passkeyEndpoints },
    errors: [],
    summary: 'The page that creates and manages passkeys',
  },
  'GET /.well-known/assetlinks.json': {
    caller: 'anyone',
    results: { 200: assetLinks },
    errors: ['not_found'],
    summary: 'The Android apps that may use the passkeys (Digital Asset Links)',
  },
  'GET /.well-known/apple-app-site-association': {
    caller: 'anyone',
    results: { 200: associatedApps },
    errors: ['not_found'],
    summary: 'The Apple apps that may use the passkeys (associated domains)',
  },
  'GET /.well-known/webauthn': {
    caller: 'anyone',
    results: { 200: relatedOrigins },
    errors: [],
    summary: 'The further origins that may use the passkeys (WebAuthn section 5.11)',
  },
} as const satisfies Endpoints

export const serviceEndpoints = {
  'GET /api/deliver': {
    caller: 'cron',
    sends: true,
    results: { 200: deliveries, 204: null },
    errors: [],
    summary:
      'For cron jobs, where no process stays running: sends what is due in the outbox for up to 20 seconds, and removes what has expired',
  },
  'POST /api/deliver': {
    caller: 'cron',
    sends: true,
    results: { 200: deliveries, 204: null },
    errors: [],
    summary: 'The same as the GET, for cron jobs that send POST',
  },
  'GET /api/health': {
    caller: 'anyone',
    results: { 200: null, 503: null },
    errors: [],
    summary: 'Whether the database can be read and written',
  },
  'GET /api/openapi.json': {
    caller: 'anyone',
    results: { 200: openApi },
    errors: [],
    summary: 'This API as an OpenAPI 3.1 document',
  },
  'GET /brand/logo': {
    caller: 'anyone',
    results: { 200: image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO`',
  },
  'GET /brand/logo-dark': {
    caller: 'anyone',
    results: { 200: image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO_DARK`',
  },
} as const satisfies Endpoints
