import type { z } from 'zod'
import type { ErrorCode } from './errors'
import type { OAuthErrorCode } from './oauth-errors'
import * as schemas from './schemas'

/** GET answers HEAD as well. */
export type Method = 'GET' | 'POST'

/** What an operation of the API reads, answers and requires. */
export type Endpoint = Contract & (Guarded | Open)

interface Guarded {
  /** Whose pages may call it: ours, or with `listed` those of CLIENT_ORIGINS, too; its route file then exports OPTIONS. */
  origin?: 'own' | 'listed'
}

/**
 * For everybody's pages, or with `navigation` for links and forms of theirs, which cannot read the answer. Browsers attach
 * our cookie whatever the page, so no caller that a cookie identifies (CSRF).
 */
interface Open {
  origin: 'any' | 'navigation'
  caller: 'anyone' | 'app' | 'bearer'
}

interface Contract {
  /**
   * `session-or-step-up`: a session, and its step-up token if it has one, which some of its requests need; `step-up`: a
   * session and its step-up token in `Latchkey-Step-Up`; `step-up-if-session`: so, or no session; `app`: an
   * app by its id, and its secret unless it is public (RFC 6749 section 2.3); `bearer`: whoever has an app's access token
   * (RFC 6750); `cron`: whoever has CRON_SECRET as a bearer token, nobody while it is not set.
   */
  caller: 'anyone' | 'session' | 'session-or-step-up' | 'step-up' | 'step-up-if-session' | 'app' | 'bearer' | 'cron'
  /** JSON that is read; without a schema a body is ignored. */
  body?: z.ZodType
  /** The body is a form (`application/x-www-form-urlencoded`) in place of JSON. */
  form?: true
  /** Answers 404 with PASSWORDS=off. */
  usesPassword?: true
  /** Whether the body may be left out. */
  bodyOptional?: true
  /** What it reads of a request besides body and credentials; all of it may be left out. */
  parameters?: readonly { in: 'query' | 'header'; name: string; description: string }[]
  /** By status, lowest first: what the body of the answer is; null where there is none. */
  results: Record<number, z.ZodType | null>
  /** Codes beyond those that `errorsOf` derives. */
  errors: readonly ErrorCode[]
  /** For apps: all errors have OAuth's format and one of these codes or of `oauthErrorsOf`. */
  oauth?: readonly OAuthErrorCode[]
  summary: string
}

/**
 * Every operation by method and path. The routes of server.ts, the browser's calls, the tests' list, the table of docs/api.md and
 * the OpenAPI document are derived from this table.
 */
export const endpoints = {
  'POST /api/signup': {
    caller: 'anyone',
    usesPassword: true,
    body: schemas.signUpInput,
    results: { 201: schemas.signedIn },
    errors: ['authentication_failed', 'sign_up_closed', 'username_taken', 'too_many_attempts'],
    summary: 'Creates an account with a password and opens a session',
  },
  'POST /api/signin': {
    caller: 'anyone',
    usesPassword: true,
    body: schemas.signInInput,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a password and opens a session',
  },
  'POST /api/signin/recovery': {
    caller: 'anyone',
    body: schemas.recoverySignInInput,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'too_many_attempts'],
    summary: 'Signs in with a recovery code, which is used up, and opens a session',
  },
  'POST /api/signout': {
    caller: 'anyone',
    origin: 'listed',
    results: { 204: null },
    errors: [],
    summary: 'Revokes the session, if there is one',
  },
  'POST /api/auth/register/options': {
    caller: 'step-up-if-session',
    body: schemas.registrationOptionsInput,
    results: { 200: schemas.registrationOptions },
    errors: ['not_signed_in', 'sign_up_closed', 'username_taken', 'too_many_attempts'],
    summary: 'Options for `navigator.credentials.create()`; with a session and its step-up token, for its account',
  },
  'POST /api/auth/register/verify': {
    caller: 'anyone',
    body: schemas.registrationResponse,
    results: { 201: schemas.registered },
    errors: [
      'authentication_failed',
      'not_signed_in',
      'sign_up_closed',
      'username_taken',
      'passkey_taken',
      'too_many_attempts',
    ],
    summary: "Verifies a registration: a new account with a session, or one more passkey for the session's account",
  },
  'POST /api/auth/login/options': {
    caller: 'anyone',
    body: schemas.authenticationOptionsInput,
    bodyOptional: true,
    results: { 200: schemas.authenticationOptions },
    errors: [],
    summary: "Options for `navigator.credentials.get()`; with a session, for its account's passkeys",
  },
  'POST /api/auth/login/verify': {
    caller: 'anyone',
    body: schemas.authenticationResponse,
    results: { 200: schemas.signedIn },
    errors: ['authentication_failed', 'account_disabled', 'unknown_passkey', 'too_many_attempts'],
    summary: 'Verifies an authentication and opens a session',
  },
  'POST /api/i': {
    caller: 'session',
    origin: 'listed',
    results: { 200: schemas.account },
    errors: [],
    summary: 'The account, its passkeys and the session',
  },
  'POST /api/i/events': {
    caller: 'session',
    body: schemas.eventsInput,
    bodyOptional: true,
    results: { 200: schemas.events },
    errors: [],
    summary: 'The events of the last 90 days, newest first, 50 a page',
  },
  'POST /api/i/notices': {
    caller: 'session',
    results: { 200: schemas.notableEvents },
    errors: [],
    summary:
      'The events of the last 90 days that the owner should look at: changed names and ways to sign in, sign-ins from new browsers, failures; newest first, at most 50 of a type',
  },
  'POST /api/i/passkeys/rename': {
    caller: 'session',
    body: schemas.renamePasskeyInput,
    results: { 204: null },
    errors: ['not_found', 'too_many_attempts'],
    summary: 'Renames a passkey',
  },
  'POST /api/i/passkeys/remove': {
    caller: 'step-up',
    body: schemas.removePasskeyInput,
    results: { 200: schemas.renewedSession, 204: null },
    errors: ['not_found', 'last_way_in'],
    summary:
      'Removes a passkey, unless it is the last way to sign in, and ends the sessions that it opened; 200 if this was one',
  },
  'POST /api/i/password': {
    caller: 'step-up',
    usesPassword: true,
    body: schemas.changePasswordInput,
    results: { 200: schemas.renewedSession },
    errors: ['authentication_failed', 'too_many_attempts'],
    summary: 'Sets the password, ends all sessions and opens a new one',
  },
  'POST /api/i/password/remove': {
    caller: 'step-up',
    usesPassword: true,
    results: { 204: null },
    errors: ['last_way_in'],
    summary: 'Removes the password, unless there is no passkey, and ends the other sessions that it opened',
  },
  'POST /api/i/username': {
    caller: 'step-up',
    body: schemas.changeUsernameInput,
    results: { 200: schemas.renamedAccount },
    errors: ['username_taken', 'too_many_attempts'],
    summary: 'Changes the username',
  },
  'POST /api/i/hint': {
    caller: 'session',
    body: schemas.rememberInput,
    results: { 204: null },
    errors: [],
    summary: 'Has this browser remember the username for its next sign-in, or no longer, in the cookie `hint`',
  },
  'POST /api/i/recovery-codes': {
    caller: 'step-up',
    results: { 201: schemas.recoveryCodes },
    errors: ['too_many_attempts'],
    summary: 'Replaces the recovery codes with ten new ones, and ends other sessions that old ones opened',
  },
  'POST /api/i/sessions': {
    caller: 'session',
    results: { 200: schemas.sessions },
    errors: [],
    summary: "The account's valid sessions, newest first",
  },
  'POST /api/i/sessions/revoke': {
    caller: 'session',
    body: schemas.revokeSessionInput,
    results: { 204: null },
    errors: ['not_found'],
    summary: 'Ends one session of the account',
  },
  'POST /api/i/signout-everywhere': {
    caller: 'session',
    body: schemas.signOutEverywhereInput,
    bodyOptional: true,
    results: { 200: schemas.renewedSession, 204: null },
    errors: [],
    summary: 'Ends all sessions of the account; with `exceptThis`, 200 and a new session in place of this one',
  },
  'POST /api/i/delete': {
    caller: 'step-up',
    results: { 204: null },
    errors: [],
    summary: 'Deletes the account and all that it owns',
  },
  'POST /api/token': {
    caller: 'session',
    origin: 'listed',
    body: schemas.accessTokenInput,
    bodyOptional: true,
    results: { 200: schemas.accessToken },
    errors: [],
    summary: 'An access token of five minutes for another app: the page that asks, or `audience`',
  },
  'POST /api/i/apps': {
    caller: 'session',
    results: { 200: schemas.allowedApps },
    errors: [],
    summary: 'The apps that the account has let in, and what they may learn',
  },
  'POST /api/i/apps/revoke': {
    caller: 'session',
    body: schemas.revokeAppInput,
    results: { 204: null },
    errors: ['not_found'],
    summary: "Takes away an app's access and ends all that it was given",
  },
  'GET /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: [
      { in: 'query', name: 'client_id', description: 'the id of an app' },
      { in: 'query', name: 'redirect_uri', description: 'one of its registered addresses, as registered' },
      { in: 'query', name: 'response_type', description: '`code`' },
      { in: 'query', name: 'scope', description: '`openid`, and any of `profile email groups offline_access`' },
      { in: 'query', name: 'state', description: 'comes back as it is' },
      { in: 'query', name: 'nonce', description: 'comes back in the ID token' },
      { in: 'query', name: 'code_challenge', description: 'of PKCE (RFC 7636)' },
      { in: 'query', name: 'code_challenge_method', description: '`S256`' },
      { in: 'query', name: 'response_mode', description: '`query` or `form_post`' },
      { in: 'query', name: 'prompt', description: '`none`, or any of `login consent select_account create`' },
      { in: 'query', name: 'max_age', description: 'seconds since a credential was shown' },
      { in: 'query', name: 'login_hint', description: 'fills the username' },
      { in: 'query', name: 'id_token_hint', description: 'with `prompt=none`: who should be signed in' },
      { in: 'query', name: 'acr_values', description: '`phr` asks for a passkey' },
      { in: 'query', name: 'ui_locales', description: 'the language of the pages' },
    ],
    results: { 200: schemas.page, 303: null, 400: schemas.page },
    errors: [],
    oauth: [],
    summary: 'Where an app sends the browser to sign its person in (OpenID Connect Core section 3.1.2)',
  },
  'POST /api/oauth/authorize': {
    caller: 'anyone',
    origin: 'navigation',
    results: { 303: null },
    errors: [],
    oauth: [],
    summary: 'Leads to the same request by GET, since a form of another site brings no cookie',
  },
  'POST /api/oauth/token': {
    caller: 'app',
    origin: 'any',
    body: schemas.tokenInput,
    form: true,
    results: { 200: schemas.tokenResponse },
    errors: [],
    oauth: ['invalid_grant', 'invalid_scope', 'unsupported_grant_type'],
    summary: 'Gives an app its tokens for a code or a refresh token (RFC 6749 sections 4.1.3 and 6)',
  },
  'POST /api/oauth/revoke': {
    caller: 'app',
    origin: 'any',
    body: schemas.revocationInput,
    form: true,
    results: { 200: null },
    errors: [],
    oauth: [],
    summary: "Ends an app's access or refresh token, which may be over already (RFC 7009)",
  },
  'GET /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    results: { 200: schemas.userinfo },
    errors: [],
    oauth: [],
    summary: 'What the scopes of an access token release (OpenID Connect Core section 5.3)',
  },
  'POST /api/oauth/userinfo': {
    caller: 'bearer',
    origin: 'any',
    body: schemas.userinfoInput,
    bodyOptional: true,
    form: true,
    results: { 200: schemas.userinfo },
    errors: [],
    oauth: [],
    summary: 'The same; the access token may also be in the form',
  },
  'POST /api/oauth/request': {
    caller: 'session',
    body: schemas.appRequestInput,
    results: { 200: schemas.appRequest },
    errors: [],
    summary: "What the page `/consent` shows of an app's request",
  },
  'POST /api/oauth/consent': {
    caller: 'session-or-step-up',
    body: schemas.consentInput,
    results: { 200: schemas.consentAnswer },
    errors: [],
    summary:
      "Answers an app's request; `location` is where the browser goes on. Allowing `offline_access` needs a step-up token, unless the app has it",
  },
  'GET /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: [
      { in: 'query', name: 'id_token_hint', description: 'an ID token of the session, which may have expired' },
      { in: 'query', name: 'client_id', description: 'the id of the app' },
      { in: 'query', name: 'post_logout_redirect_uri', description: 'one of its registered addresses for this' },
      { in: 'query', name: 'state', description: 'comes back as it is' },
      { in: 'query', name: 'ui_locales', description: 'the language of the page that asks' },
    ],
    results: { 303: null },
    errors: [],
    oauth: [],
    summary:
      'Where an app sends the browser to end the session here, too; after a question, unless the hint is of this session (OpenID Connect RP-Initiated Logout)',
  },
  'POST /api/oauth/logout': {
    caller: 'anyone',
    origin: 'navigation',
    results: { 303: null },
    errors: [],
    oauth: [],
    summary: 'Leads to the same request by GET, since a form of another site brings no cookie',
  },
  'POST /api/oauth/logout/request': {
    caller: 'session',
    body: schemas.signOutRequestInput,
    results: { 200: schemas.signOutRequest },
    errors: [],
    summary: "What the page `/signout` shows of an app's logout",
  },
  'POST /api/oauth/logout/confirm': {
    caller: 'session',
    body: schemas.signOutRequestInput,
    results: { 200: schemas.consentAnswer },
    errors: [],
    summary: "Ends the session after an app's logout; `location` is where the browser goes on",
  },
  'GET /api/access': {
    caller: 'anyone',
    parameters: [{ in: 'query', name: 'next', description: 'an address of an app in CLIENT_ORIGINS' }],
    results: { 303: null },
    errors: ['internal_error', 'unavailable'],
    summary: 'Sets the access cookie and leads to the app at `next`, or without a session to the sign-in page',
  },
  'GET /api/forward-auth': {
    caller: 'anyone',
    parameters: [
      {
        in: 'query',
        name: 'group',
        description: 'a group; admits its members only, or those of any if it is there several times',
      },
      { in: 'header', name: 'X-Forwarded-Host', description: 'the host that the browser asked' },
      { in: 'header', name: 'X-Forwarded-Uri', description: 'path and query that it asked for, to lead back to' },
    ],
    results: { 200: null, 303: null },
    errors: ['not_signed_in', 'not_allowed', 'internal_error', 'unavailable'],
    summary: 'For reverse proxies: who asks, in `Remote-User`, `Remote-User-Id`, `Remote-Groups` and `Remote-Method`',
  },
  'GET /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries },
    errors: ['internal_error', 'unavailable'],
    summary: 'For cron jobs, where no process lives: sends for up to 20 seconds what is due in the outbox',
  },
  'POST /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries },
    errors: [],
    summary: 'The same',
  },
  'GET /api/health': {
    caller: 'anyone',
    results: { 200: null, 503: null },
    errors: [],
    summary: 'Whether the database answers',
  },
  'GET /api/openapi.json': {
    caller: 'anyone',
    results: { 200: schemas.openApi },
    errors: [],
    summary: 'This API as an OpenAPI 3.1 document',
  },
  'GET /.well-known/jwks.json': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.keySet },
    errors: ['internal_error', 'unavailable'],
    summary: 'The keys that access tokens verify with (RFC 7517)',
  },
  'GET /.well-known/openid-configuration': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.discovery },
    errors: [],
    summary: 'What apps need to know of this server (OpenID Connect Discovery)',
  },
  'GET /.well-known/oauth-authorization-server': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.discovery },
    errors: [],
    summary: 'The same (RFC 8414)',
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
    results: { 200: schemas.passkeyEndpoints },
    errors: [],
    summary: 'The page that creates and manages passkeys',
  },
  'GET /.well-known/assetlinks.json': {
    caller: 'anyone',
    results: { 200: schemas.assetLinks },
    errors: ['not_found'],
    summary: 'The Android apps that may use the passkeys (Digital Asset Links)',
  },
  'GET /.well-known/apple-app-site-association': {
    caller: 'anyone',
    results: { 200: schemas.associatedApps },
    errors: ['not_found'],
    summary: 'The Apple apps that may use the passkeys (associated domains)',
  },
  'GET /.well-known/webauthn': {
    caller: 'anyone',
    results: { 200: schemas.relatedOrigins },
    errors: [],
    summary: 'The further origins that may use the passkeys (WebAuthn section 5.11)',
  },
  'GET /brand/logo': {
    caller: 'anyone',
    results: { 200: schemas.image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO`',
  },
  'GET /brand/logo-dark': {
    caller: 'anyone',
    results: { 200: schemas.image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO_DARK`',
  },
} as const satisfies Record<`${Method} /${string}`, Endpoint>

type Table = typeof endpoints

/** A method and a path. */
export type Operation = keyof Table
type PathOf<O, M extends Method = Method> = O extends `${M} ${infer P}` ? P : never
export type Path = PathOf<Operation>
export type PostPath = PathOf<Operation, 'POST'>

/** The JSON that a client sends; undefined where none is read. */
export type Body<P extends PostPath> = Table[`POST ${P}`] extends { body: infer S extends z.ZodType }
  ? z.input<S>
  : undefined

/** The same as its schema parses it. */
export type ParsedBody<O extends Operation> = Table[O] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined

export type CallerOf<O extends Operation> = Table[O]['caller']

type ResultSchema<O extends Operation> = Table[O]['results'][keyof Table[O]['results']]

/** The JSON that a client gets on success; null where there is none. */
export type ResultOf<O extends Operation> =
  ResultSchema<O> extends infer S ? (S extends z.ZodType ? z.output<S> : null) : never

export type Result<P extends PostPath> = ResultOf<`POST ${P}`>

export type Row = Endpoint & { method: Method; path: Path }

/** The table, each row with the two parts of its key. */
export const rows: readonly Row[] = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => {
  const [method, path] = key.split(' ') as [Method, Path]
  return { method, path, ...endpoint }
})

/** The methods of each path, as `Allow` lists them. */
export const methodsByPath = Object.fromEntries(
  rows.map(({ path }) => [
    path,
    rows.filter((row) => row.path === path).flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  ]),
) as Record<Path, string[]>

/** What becomes of a request's body. */
export function bodyMode({ body, bodyOptional, form }: Endpoint): BodyMode {
  if (body === undefined) return 'ignored'
  if (form) return bodyOptional ? 'optional-form' : 'form'
  return bodyOptional ? 'optional' : 'required'
}

export type BodyMode = 'ignored' | 'optional' | 'required' | 'optional-form' | 'form'

const callerErrors: Record<Endpoint['caller'], readonly ErrorCode[]> = {
  anyone: [],
  session: ['not_signed_in'],
  'session-or-step-up': ['not_signed_in', 'reauthentication_required'],
  'step-up': ['not_signed_in', 'reauthentication_required'],
  'step-up-if-session': ['reauthentication_required'],
  app: [],
  bearer: [],
  cron: ['authentication_failed', 'not_found'],
}
const bodyErrors = ['invalid_request', 'payload_too_large', 'unsupported_media_type'] as const

/** Every code that an operation can answer with. */
export function errorsOf(row: Row): ErrorCode[] {
  const off: readonly ErrorCode[] = row.usesPassword ? ['not_found'] : []
  const fromBody = row.body === undefined ? [] : bodyErrors
  const codes = [...callerErrors[row.caller], ...fromBody, ...off, ...row.errors]
  if (row.method === 'GET') return codes
  return [...new Set<ErrorCode>([...codes, 'foreign_origin', 'different_account', 'internal_error', 'unavailable'])]
}

const oauthCallerErrors: Partial<Record<Endpoint['caller'], readonly OAuthErrorCode[]>> = {
  app: ['invalid_client', 'temporarily_unavailable'],
  bearer: ['invalid_token'],
}

/** Every code that an operation can answer with where its errors have OAuth's format; undefined where they have ours. */
export function oauthErrorsOf({ oauth, caller }: Row): OAuthErrorCode[] | undefined {
  const always = ['invalid_request', 'server_error', 'temporarily_unavailable'] as const
  return oauth && [...new Set<OAuthErrorCode>([...always, ...(oauthCallerErrors[caller] ?? []), ...oauth])]
}
