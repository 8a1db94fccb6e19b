import * as z from 'zod'
import { limits } from '../limits'
import { boolean, fieldError, text, time } from '../schemas/fields'
import type { Endpoints } from './endpoint'
import { page } from './well-known'

interface Rules {
  enum?: readonly string[]
  pattern?: string
  maxLength?: number
}

/** `rules` are for the document: who breaks one gets an error by OAuth's code, in place of `invalid_request` by the schema. */
const parameter = (description: string, rules: Rules = { pattern: String.raw`^[^\u0000]*$` }) =>
  text
    .meta({ ...rules })
    .optional()
    .describe(description)

const clientId = parameter('the id of an app, or with `CLIENT_DOCUMENTS` the URL of its document', {
  pattern: `^([A-Za-z0-9._-]{1,${limits.appId}}|https://[!-~]{1,${limits.clientUrl - 'https://'.length}})$`,
})
const clientSecret = parameter('the secret of the app; a public one has none', { pattern: '^[ -~]*$' })
const uri = { pattern: '^[!-~]+$', maxLength: limits.appUri }
const jwt = { pattern: String.raw`^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$` }
/** A code or a refresh token. */
const handle = { pattern: '^[A-Za-z0-9_-]{65}$' }
const resource = parameter('the identifier of an API that the token is for (RFC 8707)', uri)

/** OpenID Connect Core section 3.1.2.1: as the query of the GET, which checks it. */
export const authorizationInput = z.object({
  client_id: clientId,
  redirect_uri: parameter('one of its redirect URIs, as registered', uri),
  response_type: parameter('`code`', { enum: ['code'] }),
  scope: parameter(
    '`openid`, any of `profile email groups offline_access`, and with `resource` scopes of those APIs, for which `openid` may be left out',
  ),
  state: parameter('returned unchanged'),
  nonce: parameter('returned in the ID token; of an app with a secret, in place of PKCE', {
    pattern: String.raw`^[^\u0000]*$`,
    maxLength: limits.nonce,
  }),
  code_challenge: parameter('of PKCE (RFC 7636)', { pattern: '^[A-Za-z0-9_-]{43}$' }),
  code_challenge_method: parameter('`S256`', { enum: ['S256'] }),
  response_mode: parameter('`query` or `form_post`', { enum: ['query', 'form_post'] }),
  prompt: parameter('`none`, or any of `login consent select_account create`'),
  max_age: parameter('seconds since a credential was shown', { pattern: '^[0-9]{1,9}$' }),
  login_hint: parameter('prefills the username'),
  id_token_hint: parameter('an ID token of the person who should be signed in', jwt),
  acr_values: parameter('the most preferred first: `phr` requests a passkey'),
  claims: parameter('JSON of OpenID Connect Core section 5.5: claims that the consent page names, `sub` and `acr`'),
  ui_locales: parameter('the language of the pages of this request'),
  resource: parameter('the identifier of an API that the app asks to use (RFC 8707); may be repeated', uri),
})

/** OpenID Connect RP-Initiated Logout section 2: as the query of the GET, which checks it. */
export const logoutInput = z.object({
  id_token_hint: parameter('an ID token of the session, which may have expired', jwt),
  client_id: clientId,
  post_logout_redirect_uri: parameter('one of its sign-out URIs, as registered', uri),
  state: parameter('returned unchanged'),
  ui_locales: parameter('the language of the confirmation page'),
})

/** RFC 6749 sections 4.1.3, 6 and 2.3.1, RFC 7636 section 4.5. */
export const tokenInput = z.object({
  grant_type: text.meta({
    enum: ['authorization_code', 'refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
  }),
  code: parameter('with `authorization_code`', handle),
  refresh_token: parameter('with `refresh_token`', handle),
  scope: parameter('with `refresh_token`: less than was granted; with `client_credentials`: scopes of the API'),
  redirect_uri: parameter('with `authorization_code`: that of the authorization request', uri),
  code_verifier: parameter('of PKCE (RFC 7636)', { pattern: '^[A-Za-z0-9._~-]{43,128}$' }),
  device_code: parameter('of a device, with its grant', handle),
  client_id: clientId,
  client_secret: clientSecret,
  resource,
})
export const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  /** With the scope `openid`. */
  id_token: z.string().exactOptional(),
  scope: z.string(),
  refresh_token: z.string().exactOptional(),
})

/** RFC 8628 sections 3.1 and 3.2. */
export const deviceInput = z.object({
  scope: parameter('as in an authorization request'),
  resource: parameter('the identifier of an API that the device asks to use (RFC 8707); may be repeated', uri),
  client_id: clientId,
  client_secret: clientSecret,
})
export const deviceCodes = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.int(),
  interval: z.int(),
})

/** RFC 7009 section 2.1. Either kind of token is recognized without the hint. */
export const revocationInput = z.object({
  token: text.meta({ pattern: '^[A-Za-z0-9._-]+$' }),
  token_type_hint: parameter('ignored'),
  client_id: clientId,
  client_secret: clientSecret,
})

/** RFC 6750 section 2.2. */
export const userinfoInput = z.object({ access_token: parameter('unless it is in `Authorization`', jwt) })
export const userinfo = z.object({
  sub: z.string(),
  preferred_username: z.string().exactOptional(),
  name: z.string().exactOptional(),
  /** Seconds since 1970. */
  updated_at: z.int().exactOptional(),
  email: z.string().exactOptional(),
  email_verified: z.literal(true).exactOptional(),
  groups: z.array(z.string()).exactOptional(),
})

export const appRequestInput = z.object({ request: text })
export const appRequest = z.object({
  /** `icon`: the path of its picture, as the next. */
  app: z.object({ name: z.string(), host: z.string(), icon: z.string().exactOptional() }),
  /**
   * Of a client that introduced itself, whose name above is its host: what its document calls it, and whether it is on the
   * person's device.
   */
  document: z.object({ name: z.string(), isOnDevice: z.boolean() }).exactOptional(),
  scopes: z.array(z.string()),
  /** The APIs, and what the app may do there. */
  apis: z.array(z.object({ name: z.string(), identifier: z.string(), scopes: z.array(z.string()) })).exactOptional(),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** Why the app cannot be used, whatever its person allows. */
  obstacle: z.enum(['not_a_member', 'passkey_required']).exactOptional(),
  /** With `passkey_required`: where signing in with a passkey leads to. */
  next: z.string().exactOptional(),
})
/** The code as somebody types it: in any case, with or without its hyphen. */
export const userCodeInput = z.object({ userCode: text.max(100, fieldError({ key: 'invalid' })) })
export const deviceRequest = z.object({
  /** As the device shows it. */
  userCode: z.string(),
  app: z.object({ name: z.string() }),
  scopes: z.array(z.string()),
  apis: appRequest.shape.apis,
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** Where the device asked. */
  from: z.object({ at: time, address: z.string(), browser: z.string().nullable(), isOwnNetwork: z.boolean() }),
  /** Why this account cannot allow it. */
  obstacle: z.enum(['not_a_member', 'passkey_required']).exactOptional(),
})
export const deviceAnswerInput = userCodeInput.extend({ allow: boolean })

export const consentInput = z.object({
  request: text,
  allow: boolean,
})
/** Where the browser goes on. */
export const onward = z.object({ location: z.string() })

export const signOutRequestInput = z.object({ request: text })
export const signOutRequest = z.object({
  /** The app that signs the person out; null if the request names none. */
  app: z.object({ name: z.string() }).nullable(),
  /** The app wants to lead back to what is none of its sign-out URIs. */
  unregistered: z.literal(true).exactOptional(),
})

export type DeviceRequest = z.infer<typeof deviceRequest>
export type AppRequest = z.infer<typeof appRequest>
export type SignOutRequest = z.infer<typeof signOutRequest>

/** The GET has the parameters of the form that its POST takes. */
const inQuery = (form: z.ZodObject) =>
  Object.entries(z.toJSONSchema(form).properties ?? {}).map(([name, property]) => {
    const { description = '', ...schema } = property as z.core.JSONSchema.JSONSchema
    return { in: 'query', name, description, schema } as const
  })

export const openIdEndpoints = {
  'GET /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: inQuery(authorizationInput),
    results: { 200: page, 303: null, 400: page },
    oauth: [],
    summary: 'Where an app sends the browser to sign a person in (OpenID Connect Core section 3.1.2)',
  },
  'POST /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    body: authorizationInput,
    form: true,
    results: { 303: null },
    oauth: [],
    summary: 'Redirects to the same request by GET, since a form of another site sends no cookie',
  },
  'POST /api/oauth/token': {
    caller: 'app',
    origin: 'any',
    body: tokenInput,
    form: true,
    results: { 200: tokenResponse },
    oauth: [
      ...(['invalid_grant', 'invalid_scope', 'invalid_target', 'unauthorized_client'] as const),
      ...(['unsupported_grant_type', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const),
    ],
    summary:
      'Issues tokens to an app for a code or a refresh token, or to a machine for its secret (RFC 6749 sections 4.1.3, 6 and 4.4)',
  },
  'POST /api/oauth/device': {
    caller: 'app',
    origin: 'any',
    body: deviceInput,
    form: true,
    results: { 200: deviceCodes },
    oauth: ['invalid_scope', 'invalid_target', 'unauthorized_client'],
    summary: 'Gives a device a code to show, which somebody enters on another device (RFC 8628 section 3.1)',
  },
  'POST /api/oauth/device/request': {
    caller: 'session',
    body: userCodeInput,
    results: { 200: deviceRequest },
    errors: ['not_found', 'too_many_attempts'],
    summary:
      "What the page `/device` shows of a device's request, by its code: ten wrong ones an hour for an account or network",
  },
  'POST /api/oauth/device/answer': {
    caller: 'session-and-maybe-step-up',
    body: deviceAnswerInput,
    results: { 204: null },
    errors: ['not_found', 'not_allowed', 'too_many_attempts'],
    summary: 'Records whether the person allows what the device asks. Allowing `offline_access` needs a step-up token',
  },
  'POST /api/oauth/revoke': {
    caller: 'app',
    origin: 'any',
    body: revocationInput,
    form: true,
    results: { 200: null },
    oauth: [],
    summary: "Revokes an app's access or refresh token; 200 whether or not it was valid (RFC 7009)",
  },
  'GET /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    results: { 200: userinfo },
    oauth: [],
    summary: 'What the scopes of an access token release (OpenID Connect Core section 5.3)',
  },
  'POST /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    body: userinfoInput,
    bodyOptional: true,
    form: true,
    results: { 200: userinfo },
    oauth: [],
    summary:
      'What the scopes of an access token release (OpenID Connect Core section 5.3); the token may be in the form, too',
  },
  'POST /api/oauth/request': {
    caller: 'session',
    body: appRequestInput,
    results: { 200: appRequest },
    errors: [],
    summary: "What the page `/consent` shows of an app's request",
  },
  'POST /api/oauth/consent': {
    caller: 'session-and-maybe-step-up',
    body: consentInput,
    results: { 200: onward },
    errors: ['too_many_attempts'],
    summary:
      "Records whether the person consents to an app's request; `location` is where the browser continues. Allowing `offline_access` needs a step-up token, unless the app has it",
  },
  'GET /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: inQuery(logoutInput),
    results: { 303: null },
    oauth: [],
    summary:
      'Where an app sends the browser to end the session here, too; asks the person first, unless the hint is of this session (OpenID Connect RP-Initiated Logout)',
  },
  'POST /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    body: logoutInput,
    form: true,
    results: { 303: null },
    oauth: [],
    summary: 'Redirects to the same request by GET, since a form of another site sends no cookie',
  },
  'POST /api/oauth/logout/request': {
    caller: 'session',
    body: signOutRequestInput,
    results: { 200: signOutRequest },
    errors: [],
    summary: "What the page `/signout` shows of an app's logout",
  },
  'POST /api/oauth/logout/confirm': {
    caller: 'session',
    body: signOutRequestInput,
    results: { 200: onward },
    errors: [],
    summary: "Ends the session after an app's logout; `location` is where the browser continues",
  },
} as const satisfies Endpoints
