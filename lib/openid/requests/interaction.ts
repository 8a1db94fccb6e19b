import { hash } from 'node:crypto'
import type { Session } from '@/lib/auth/sessions/find-session'
import { type Claims, rootOf } from '@/lib/auth/tokens/claims'
import { issueToken, readToken } from '@/lib/auth/tokens/tokens'

/** Our own parameters of the authorization endpoint, which an app's request does not have. */
const [startName, answerName] = ['latchkey_start', 'latchkey_answer']

export const authorizationPath = '/api/oauth/authorize'

const startSeconds = 3600
/** The page navigates there at once. */
const answerSeconds = 120
const longestHint = 64

export type Start = Claims<'request-start'>

/** A request as an app made it, and what this server added on the way. */
export interface CarriedRequest {
  query: URLSearchParams
  /** Binds what was added to the request */
  digest: string
  start: Start | null
  answer: Claims<'consent-answer'> | null
}

/** Takes a request apart. What was not made for exactly this one, or has expired, counts as absent. */
export async function readCarried(given: URLSearchParams): Promise<CarriedRequest> {
  const query = new URLSearchParams(given)
  query.delete(startName)
  query.delete(answerName)
  const digest = hash('sha256', query.toString(), 'base64url')
  const read = async <T extends 'request-start' | 'consent-answer'>(type: T, name: string) => {
    const token = given.get(name)
    const claims = token === null ? null : await readToken(type, token)
    return claims?.digest === digest ? claims : null
  }
  return {
    query,
    digest,
    start: (await read('request-start', startName)) as Start | null,
    answer: (await read('consent-answer', answerName)) as Claims<'consent-answer'> | null,
  }
}

interface Beginning {
  app: string
  session: Pick<Session, 'claims'> | null
  /** Whether only a credential that is shown from now on will do */
  fresh: boolean
  hint: string | null
}

/** The path of the request with a signed start, which every way of signing in carries along. */
export async function pathWithStart(
  { query, digest, start }: CarriedRequest,
  { app, session, fresh, hint }: Beginning,
): Promise<string> {
  // One that began before goes on: its person may have signed in at another tab meanwhile.
  const known = start && (start.fresh === true || !fresh) ? start : null
  const claims = {
    app,
    digest,
    ...(session && { sid: session.claims.jti }),
    ...(fresh && { fresh: true as const }),
    ...(hint !== null && hint.length <= longestHint && { hint }),
  }
  const { token } = known
    ? await issueToken('request-start', known, known.exp - known.iat, { jti: known.jti, iat: known.iat })
    : await issueToken('request-start', claims, startSeconds)
  return pathOf(query, startName, token)
}

export async function pathWithAnswer(
  { query, digest, start }: CarriedRequest,
  session: Session,
  allow: boolean,
): Promise<string> {
  const { token } = await issueToken('consent-answer', { sid: rootOf(session.claims), digest, allow }, answerSeconds)
  if (!start) return pathOf(query, answerName, token)
  const { exp, iat, jti } = start
  const again = await issueToken('request-start', start, exp - iat, { jti, iat })
  return pathOf(new URLSearchParams([...query, [startName, again.token]]), answerName, token)
}

const pathOf = (query: URLSearchParams, name: string, token: string) =>
  `${authorizationPath}?${new URLSearchParams([...query, [name, token]])}`

/** Whether the session's credential was shown after the request began: it is not the session that was there before. */
export const isShownSince = (start: Start | null, { claims }: Pick<Session, 'claims'>): boolean =>
  start !== null && claims.jti !== start.sid && (claims.auth_time ?? claims.iat) >= start.iat

/** The start of the request that a path leads to, for the pages that its person passes; null for any other path. */
export async function startOfPath(path: string): Promise<Start | null> {
  const [before, search] = path.split('?', 2)
  return before === authorizationPath ? (await readCarried(new URLSearchParams(search))).start : null
}
