import type { JWTPayload } from 'jose'
import * as oidc from 'openid-client'
import { type Cookies, mostBytes } from './cookies.js'
import { failurePage, log } from './pages.js'
import { claimsOf, discover, type User, userOf } from './provider.js'
import type { Settings } from './settings.js'

/** What the session's cookie holds. */
export interface Session extends User {
  /** The provider's name of its session */
  sid: string | null
  /** Second of the sign-in */
  since: number
  /** Second of the last renewal, or of the sign-in */
  fresh: number
  refresh: string | null
}

/** A session in use asks the provider again this often, if it may (`offline`). */
const renewalSeconds = 300

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** The session that the request's cookie holds, unless it has ended. */
export async function readSession(request: Request, cookies: Cookies, settings: Settings): Promise<Session | null> {
  const opened = await cookies.open('session', request, await cookies.name())
  if (!opened) return null
  const session = opened.session as Session
  return (await hasEnded(session, settings, cookies)) ? null : session
}

export async function sessionCookies(
  session: Session,
  idToken: string | undefined,
  cookies: Cookies,
  { sessionSeconds }: Settings,
): Promise<string[]> {
  const name = await cookies.name()
  const value = await cookies.seal('session', { session } as unknown as JWTPayload, sessionSeconds)
  const bytes = name.length + 1 + value.length
  if (bytes > mostBytes) throw new CookieTooLarge(session, bytes)
  const headers = [cookies.header(name, value, sessionSeconds)]
  if (idToken === undefined) return headers
  const idName = await cookies.idTokenName()
  const idValue = await cookies.seal('id-token', { idToken }, sessionSeconds)
  // Without it, the provider asks before it signs out.
  const fits = idName.length + 1 + idValue.length <= mostBytes
  return [...headers, fits ? cookies.header(idName, idValue, sessionSeconds, '/auth') : cookies.expire(idName, '/auth')]
}

export const endedCookies = async (cookies: Cookies) => [
  cookies.expire(await cookies.name()),
  cookies.expire(await cookies.idTokenName(), '/auth'),
]

/** A browser would drop the cookie without a word, and the sign-in would begin again for ever. */
export class CookieTooLarge extends Error {
  override name = 'CookieTooLarge'
  readonly claim: string
  readonly bytes: number
  constructor({ groups, name, email, username, refresh }: Session, bytes: number) {
    const sizes = Object.entries({ groups, name, email, username, 'refresh token': refresh })
    const [claim = 'groups'] = sizes.sort(([, one], [, other]) => sizeOf(other) - sizeOf(one))[0] ?? []
    super(`The claim ${claim} makes the session too large.`)
    this.claim = claim
    this.bytes = bytes
  }

  toPage(): Response {
    const text = `Your account does not fit into this app's session: ${this.claim} is too long`
    const scope = { groups: 'openid profile email', email: 'openid profile groups' }[this.claim]
    const drop = scope ? `Leave ${this.claim} out with latchkey({ scope: '${scope}' }), or ` : ''
    const lessen = this.claim === 'groups' ? 'put the person into fewer groups.' : `shorten the person's ${this.claim}.`
    return failurePage(400, text, [
      `The session's cookie would have ${this.bytes} bytes, of which browsers keep ${mostBytes}; most of it is the claim ${this.claim}. ${drop}${lessen}`,
    ])
  }
}

const sizeOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value ?? '')).length

/** Renewals under way, and those of the last minute: requests that came at once show the same refresh token, which works once. */
const renewals = new Map<string, { renewal: Promise<Renewal>; until: number }>()

interface Renewal {
  session: Session | null
  cookies: string[]
}

/** The session, asked from the provider again if it is time for that, and the cookies that the response must set. */
export async function renewSession(
  session: Session,
  cookies: Cookies,
  settings: Settings,
  mayStore = () => true,
): Promise<Renewal> {
  const { refresh } = session
  if (!settings.offline || refresh === null || nowInSeconds() - session.fresh < renewalSeconds || !mayStore())
    return { session, cookies: [] }
  const key = JSON.stringify([await cookies.name(), refresh])
  for (const [old, { until }] of renewals) if (until < Date.now()) renewals.delete(old)
  const underWay = renewals.get(key)
  if (underWay) return underWay.renewal
  const renewal = requestRenewal(session, refresh, cookies, settings)
  renewals.set(key, { renewal, until: Date.now() + 60_000 })
  return renewal
}

async function requestRenewal(
  session: Session,
  refresh: string,
  cookies: Cookies,
  settings: Settings,
): Promise<Renewal> {
  try {
    const configuration = await discover(settings)
    const tokens = await oidc.refreshTokenGrant(configuration, refresh)
    const claims = await renewedClaims(configuration, tokens, session)
    const renewed = { ...session, ...userOf(claims), fresh: nowInSeconds(), refresh: tokens.refresh_token ?? refresh }
    return { session: renewed, cookies: await sessionCookies(renewed, tokens.id_token, cookies, settings) }
  } catch (error) {
    const ended =
      (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') || error instanceof CookieTooLarge
    if (ended) return { session: null, cookies: await endedCookies(cookies) }
    // The provider may be back before the session's own end.
    log(`A session could not be renewed: ${(error as Error).message}`)
    return { session, cookies: [] }
  }
}

async function renewedClaims(
  configuration: oidc.Configuration,
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  session: Session,
): Promise<JWTPayload> {
  const claims = tokens.id_token
    ? await claimsOf(configuration, tokens)
    : { ...(await oidc.fetchUserInfo(configuration, tokens.access_token, session.id)) }
  // OpenID Connect Core section 12.2: the same person as before.
  if (claims.sub !== session.id) throw new Error('The renewed token is of another person.')
  return claims
}

const endedKeys = async ({ sid, id }: { sid: string | null; id: string | null }, cookies: Cookies) => {
  const prefix = (await cookies.name()).replace('__Host-', '')
  return { sid: sid === null ? null : `${prefix}:sid:${sid}`, sub: id === null ? null : `${prefix}:sub:${id}` }
}

/**
 * Whether the provider has said that this session, or all of the person's before now, has ended. A store that fails, fails the
 * request.
 */
async function hasEnded(session: Session, { store }: Settings, cookies: Cookies): Promise<boolean> {
  if (!store) return false
  const { sid, sub } = await endedKeys(session, cookies)
  const [ofSession, ofPerson] = await Promise.all([
    sid === null ? null : store.get(sid),
    sub === null ? null : store.get(sub),
  ])
  // A sign-in after that is another session, though the provider may know it by the same name.
  return [ofSession, ofPerson].some((at) => at && session.since <= Number(at))
}

/** Notes it for as long as a cookie of such a session lives. */
export async function endSession(
  { sid, id }: { sid: string | null; id: string | null },
  at: number,
  { store, sessionSeconds }: Settings,
  cookies: Cookies,
) {
  const keys = await endedKeys({ sid, id: sid === null ? id : null }, cookies)
  const key = keys.sid ?? keys.sub
  if (key !== null) await store?.set(key, String(at), sessionSeconds)
}
