import type { BodyMode } from '@/lib/api/endpoints'
import { ApiError, isApiError } from '@/lib/api/errors'
import { readToken } from '@/lib/auth/tokens'
import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { readBytes } from '../body'
import { readSetCookie } from '../cookies'
import { callBackend } from './call'
import { signClientAddress } from './client-address'

/**
 * What goes on to the backend. Nothing else does: no X-Forwarded-For and no stated address that a client made up, and none of
 * the secrets that a platform adds to the requests of the front end.
 */
const passed =
  /^(accept|accept-language|authorization|content-type|cookie|origin|referer|user-agent|sec-fetch-.*|sec-ch-.*)$/

/**
 * On a front end deployed apart: gives a request to the backend and its answer back, both unchanged. Where the request comes
 * from is for the backend to judge, by the same Origin.
 *
 * @throws ApiError unavailable, payload_too_large, not_found; authentication_failed where the two secrets differ
 */
export async function forward(request: Request, mode: BodyMode, backendUrl: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  // `/api/../` is not under /api.
  if (!pathname.startsWith('/api/')) throw new ApiError('not_found')
  const body = await readBytes(request).catch((error: unknown) => {
    // Where the backend would not look at a body, the size of one is no reason to refuse.
    if (mode === 'ignored' && isApiError(error)) return undefined
    throw error
  })
  const headers = new Headers([...request.headers].filter(([name]) => passed.test(name)))
  await signClientAddress(request.headers, headers)
  const url = Object.assign(new URL(backendUrl), { pathname, search })
  const response = await callBackend(url, request.method, headers, body)
  await requireSharedSecret(response)
  return response
}

/**
 * A session that does not verify here would be refused by our proxy on the next page, and the person sent back to sign in
 * without a word; so it is refused at once, in words, and the operator is told why.
 */
async function requireSharedSecret({ headers }: Response): Promise<void> {
  const token = readSetCookie(headers, 'session')
  if (token === null || (await readToken('session', token))) return
  singleton('shared-secret-error', tellMismatch)
  throw new ApiError('authentication_failed')
}

const tellMismatch = () =>
  log().error(
    'nobody can sign in here: a session that the backend opened does not verify, so JWT_SECRET is not the same here as on the backend (or the clocks are apart)',
  )
