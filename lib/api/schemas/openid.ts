import * as z from 'zod'
import { boolean, text } from './fields'

const parameter = (description: string) => text.optional().describe(description)

/** OpenID Connect Core section 3.1.2.1: as the query of the GET, which checks it. */
export const authorizationInput = z.object({
  client_id: parameter('the id of an app'),
  redirect_uri: parameter('one of its redirect URIs, as registered'),
  response_type: parameter('`code`'),
  scope: parameter('`openid`, and any of `profile email groups offline_access`'),
  state: parameter('returned unchanged'),
  nonce: parameter('returned in the ID token'),
  code_challenge: parameter('of PKCE (RFC 7636)'),
  code_challenge_method: parameter('`S256`'),
  response_mode: parameter('`query` or `form_post`'),
  prompt: parameter('`none`, or any of `login consent select_account create`'),
  max_age: parameter('seconds since a credential was shown'),
  login_hint: parameter('prefills the username'),
  id_token_hint: parameter('an ID token of the person who should be signed in'),
  acr_values: parameter('`phr` requests a passkey'),
  ui_locales: parameter('the language of the pages'),
})

/** OpenID Connect RP-Initiated Logout section 2: as the query of the GET, which checks it. */
export const logoutInput = z.object({
  id_token_hint: parameter('an ID token of the session, which may have expired'),
  client_id: parameter('the id of the app'),
  post_logout_redirect_uri: parameter('one of its sign-out URIs, as registered'),
  state: parameter('returned unchanged'),
  ui_locales: parameter('the language of the confirmation page'),
})

/** RFC 6749 sections 4.1.3, 6 and 2.3.1, RFC 7636 section 4.5. */
export const tokenInput = z.object({
  grant_type: text,
  code: text.optional(),
  refresh_token: text.optional(),
  scope: text.optional(),
  redirect_uri: text.optional(),
  code_verifier: text.optional(),
  client_id: text.optional(),
  client_secret: text.optional(),
})
export const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
  id_token: z.string(),
  scope: z.string(),
  refresh_token: z.string().exactOptional(),
})

/** RFC 7009 section 2.1. Either kind of token is recognized without the hint. */
export const revocationInput = z.object({
  token: text,
  token_type_hint: text.optional(),
  client_id: text.optional(),
  client_secret: text.optional(),
})

/** RFC 6750 section 2.2. */
export const userinfoInput = z.object({ access_token: text.optional() })
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
  app: z.object({ name: z.string(), host: z.string() }),
  scopes: z.array(z.string()),
  email: z.string().nullable(),
  groups: z.array(z.string()),
  /** Why the app cannot be used, whatever its person allows. */
  obstacle: z.enum(['not_a_member', 'passkey_required']).exactOptional(),
  /** With `passkey_required`: where signing in with a passkey leads to. */
  next: z.string().exactOptional(),
})
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

export type AppRequest = z.infer<typeof appRequest>
export type SignOutRequest = z.infer<typeof signOutRequest>
