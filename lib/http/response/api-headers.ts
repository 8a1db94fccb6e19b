import { randomUUID } from 'node:crypto'
import { recorder } from '@/lib/process/recorder'
import { settings } from '@/lib/settings/settings'
import { framePolicy, strictHeaders } from './security-headers'

export type Header = [name: string, value: string]

/** The id of the request under way, which its trace gets, too. */
export function newRequestId(): string {
  const id = randomUUID()
  recorder()?.nameRequest(id)
  return id
}

/** For every response of the API but those with headers of their own, and for every error that is ours. */
export const apiHeaders = (requestId: string): Header[] => [
  ...(settings().secureCookies ? onHttps : onHttp),
  ['X-Request-Id', requestId],
]

const constantHeaders = (secure: boolean): Header[] => [
  ...Object.entries(strictHeaders(secure)),
  ['Cache-Control', 'no-store'],
]
const onHttps = constantHeaders(true)
const onHttp = constantHeaders(false)

/** Adds them to a response that was made without them. */
export function withApiHeaders(response: Response, requestId: string): Response {
  // A page of ours has its own policy; one of a fork's route may load and run anything.
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false
  const policy = response.headers.get('Content-Security-Policy') ?? (isPage ? framePolicy : null)
  for (const [name, value] of apiHeaders(requestId)) response.headers.set(name, value)
  if (policy !== null) response.headers.set('Content-Security-Policy', policy)
  return response
}
