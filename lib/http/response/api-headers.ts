import { settings } from '@/lib/settings/settings'
import { framePolicy, strictHeaders } from './security-headers'

export type Header = [name: string, value: string]

export const ownHeaders = (requestId: string): Header[] => [
  ...(settings().secureCookies ? onHttps : onHttp),
  ['X-Request-Id', requestId],
]

const constantHeaders = (secure: boolean): Header[] => [
  ...Object.entries(strictHeaders(secure)),
  ['Cache-Control', 'no-store'],
]
const onHttps = constantHeaders(true)
const onHttp = constantHeaders(false)

export function withOwnHeaders(response: Response, requestId: string): Response {
  // A page of ours has its own policy; one of a fork's route may load and run anything.
  const isPage = response.headers.get('Content-Type')?.startsWith('text/html') ?? false
  const policy = response.headers.get('Content-Security-Policy') ?? (isPage ? framePolicy : null)
  for (const [name, value] of ownHeaders(requestId)) response.headers.set(name, value)
  if (policy !== null) response.headers.set('Content-Security-Policy', policy)
  return response
}
