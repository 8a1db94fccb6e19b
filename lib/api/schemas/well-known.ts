import * as z from 'zod'

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
