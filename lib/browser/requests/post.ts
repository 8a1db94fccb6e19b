import type { PostBody, PostPath, PostResult } from '@/lib/api/endpoints'
import { accountHeader, stepUpHeader } from '@/lib/api/names'
import { connectionCode } from '../failures/connection'
import { ApiClientError, isCode } from '../failures/errors'
import { rememberOwnAction } from '../state/cookies'
import { stepUpToken, storeStepUp } from './step-up'

/**
 * The id of the account that a signed-in page shows; null on other pages. All tabs share the session cookie, so another tab may
 * have signed in to a different account: each call names this one, and the server does nothing for another.
 */
let shown: string | null = null

/** @returns clears it again */
export function showAccount(id: string): () => void {
  shown = id
  return () => {
    shown = null
  }
}

/** Omits the body where the endpoint reads none or needs none. */
type Arguments<P extends PostPath> =
  undefined extends PostBody<P> ? [] : object extends PostBody<P> ? [PostBody<P>?] : [PostBody<P>]

/** How many milliseconds a request may take: a password change on a busy server waits up to 40 seconds. */
const requestTimeout = 50_000

/**
 * Posts JSON to an endpoint and returns its result. Sends the step-up token, if there is one, and stores the one that
 * the response to a credential carries. Names the account that the page shows, if it shows one.
 *
 * @throws ApiClientError unless it succeeds
 */
export async function post<P extends PostPath>(path: P, ...[body]: Arguments<P>): Promise<PostResult<P>> {
  const stepUp = stepUpToken()
  const account = shown
  const headers = {
    'Content-Type': 'application/json',
    ...(stepUp && { [stepUpHeader]: stepUp }),
    ...(account && { [accountHeader]: account }),
  }
  const hanging = new AbortController()
  const timer = setTimeout(() => hanging.abort(), requestTimeout)
  const init: RequestInit = {
    method: 'POST',
    headers,
    body: JSON.stringify(body ?? {}),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: hanging.signal,
  }
  const start = performance.now()
  const response = await fetch(path, init).catch(() => {
    clearTimeout(timer)
    throw new ApiClientError(connectionCode())
  })
  // Proxies and captive portals answer with other content than JSON.
  const result = await response.json().catch(() => null)
  clearTimeout(timer)
  // A page without an account signs in to one, which the result names.
  if (response.ok) rememberOwnAction(result?.user?.id ?? account, path, response, performance.now() - start)
  if (response.ok && (result !== null || response.status === 204)) {
    if (typeof result?.stepUp === 'string') storeStepUp(result.stepUp)
    return result
  }
  if (response.ok) throw new ApiClientError('unreachable')
  throw new ApiClientError(result?.code ?? 'internal_error', {
    ...result,
    status: response.status,
    skew: clockSkew(response),
  })
}

function clockSkew(response: Response): number {
  const theirs = Date.parse(response.headers.get('Date') ?? '')
  return Number.isNaN(theirs) ? 0 : Date.now() - theirs
}

/** Reads the signed-in account, with all its passkeys. @throws ApiClientError `not_signed_in` */
export const fetchAccount = () => post('/api/i')

/**
 * Checks that the browser kept the session cookie; otherwise the next page would redirect to /signin without a reason. Other
 * errors say nothing of the cookie.
 */
export async function requireSessionCookie(): Promise<void> {
  try {
    await fetchAccount()
  } catch (error) {
    if (isCode(error, 'not_signed_in')) throw new ApiClientError('session_lost', error.details)
  }
}
