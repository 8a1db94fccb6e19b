import * as z from 'zod'
import { maxCookieSeconds } from '@/lib/api/names'
import { type Method, method } from '@/lib/api/schemas'

const registeredClaims = z.object({ jti: z.string().min(1), iat: z.int(), exp: z.int() })

/**
 * An invitation: allows one sign-up, whose account joins `groups`. With SIGN_UP=open, the sign-up consumes it only if it has
 * groups.
 */
const invitation = registeredClaims.extend({ groups: z.array(z.string()).exactOptional() })

export const claimSchemas = {
  /**
   * `auth_time`: when the person last showed a credential, in seconds since 1970; `root`: see `rootOf`; `pk`: the passkey of the
   * sign-in; `uv`: it verified its user (WebAuthn section 6.1); `signed_up`: the time of the sign-up, if that opened the root
   */
  session: registeredClaims.extend({
    sub: z.string(),
    epoch: z.int(),
    amr: z.tuple([method], method),
    auth_time: z.int(),
    pk: z.string().exactOptional(),
    uv: z.literal(true).exactOptional(),
    root: z.string().exactOptional(),
    signed_up: z.int().exactOptional(),
  }),
  /**
   * Names session `sid` to forward-auth, which looks it up each time. It opens nothing else, and has neither the username nor a
   * list of apps: every host of ACCESS_COOKIE_DOMAIN gets it, and browsers drop a cookie of more than 4,096 bytes (RFC 6265bis)
   */
  access: registeredClaims.extend({
    sub: z.string(),
    epoch: z.int(),
    sid: z.string().min(1),
    amr: z.tuple([method], method),
    auth_time: z.int(),
    pk: z.string().exactOptional(),
  }),
  /**
   * Proof of a credential, worthless without the session whose `jti` is `sid`. `uv`: as in `session`; `by_operator`: by a
   * recovery code from an operator
   */
  'step-up': registeredClaims.extend({
    sub: z.string(),
    epoch: z.int(),
    sid: z.string(),
    amr: z.tuple([method], method),
    uv: z.literal(true).exactOptional(),
    by_operator: z.literal(true).exactOptional(),
  }),
  /**
   * A challenge for account `sub`: a new one if there is a `username`, one that is recovered by mail if there is a `recovery` (its
   * digest), else that of `sid`. `automatic`: conditional create; `signs_in`: counts as a sign-in
   */
  register: registeredClaims.extend({
    sub: z.string(),
    sid: z.string().optional(),
    username: z.string().optional(),
    recovery: z.string().optional(),
    automatic: z.literal(true).optional(),
    signs_in: z.literal(true).optional(),
    invitation: invitation.pick({ jti: true, exp: true, groups: true }).optional(),
  }),
  /** A challenge, limited to the account of `username` if present, and to session `sid` and its account `sub` */
  login: registeredClaims.extend({
    username: z.string().optional(),
    sub: z.string().optional(),
    sid: z.string().optional(),
  }),
  invitation,
  /**
   * Says that we began to interact with a person for the request of this digest, to sign in to `app` (its name). `fresh`:
   * session `sid` does not suffice; `hint`: the username that the app expects; `passkey`: it takes nothing else
   */
  interaction: registeredClaims.extend({
    app: z.string(),
    icon: z.string().nullable().optional(),
    passkey: z.literal(true).optional(),
    digest: z.string(),
    sid: z.string().optional(),
    fresh: z.literal(true).optional(),
    hint: z.string().optional(),
  }),
  /** An app's request, the `query` of its URL, that waits for the consent of the session with root `sid` */
  'app-request': registeredClaims.extend({ sid: z.string(), query: z.string() }),
  /** Says whether the session with root `sid` consents to the app's request of this digest */
  consent: registeredClaims.extend({ sid: z.string(), digest: z.string(), allow: z.boolean() }),
  /** An app's logout, the `query` of its URL, that waits for the confirmation of the session with root `sid` */
  'sign-out-request': registeredClaims.extend({ sid: z.string(), query: z.string() }),
  /** Marks a browser that has signed in to account `sub` */
  device: registeredClaims.extend({ sub: z.string(), epoch: z.int() }),
  /**
   * An app's access token for userinfo, which alone reads it: `iss` and `aud` name the issuer, `client_id` the app, `gid` the code,
   * by which userinfo finds out if the token has ended
   */
  userinfo: registeredClaims.extend({
    iss: z.string(),
    aud: z.string(),
    client_id: z.string(),
    scope: z.string(),
    gid: z.string(),
  }),
  /** Carries the client's address to the backend of a split deployment; never sent to clients */
  'client-address': registeredClaims.extend({ address: z.string().min(1) }),
}

export type TokenType = keyof typeof claimSchemas
export type RegisteredClaims = keyof z.infer<typeof registeredClaims>
export type Claims<T extends TokenType> = z.infer<(typeof claimSchemas)[T]>

/** Apps know a session by the first in its chain of replacements, so that a step-up signs nobody out of them. */
export const rootOf = ({ root, jti }: Pick<Claims<'session'>, 'root' | 'jti'>) => root ?? jti

export const challengeSeconds = 600
export const deviceSeconds = maxCookieSeconds
export const stepUpSeconds = 600
/** Long enough for one request; the rest is a margin for clock skew. */
export const clientAddressSeconds = 60

const registered: Record<Method, string> = { pwd: 'pwd', passkey: 'pop', recovery: 'otp' }

export const referenceOf = (method: Method) => registered[method]

/** The method references (RFC 8176). A passkey that verified its user is two factors: the device, and a PIN, finger or face. */
export const methodReferences = ({ amr, uv }: Pick<Claims<'session'>, 'amr' | 'uv'>): string[] => [
  ...amr.map(referenceOf),
  ...(uv ? ['mfa'] : []),
]
