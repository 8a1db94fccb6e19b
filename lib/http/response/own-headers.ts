import { settings } from '@/lib/settings/settings'
import { commonHeaders, strictPolicy } from './security-headers'

export type Header = [name: string, value: string]

export const ownHeaders = (requestId: string): Header[] => [
  ...(settings().secureCookies ? onHttps : onHttp),
  ['X-Request-Id', requestId],
]

const constantHeaders = (secure: boolean): Header[] => [
  ...Object.entries({ ...commonHeaders(secure), 'Content-Security-Policy': strictPolicy }),
  ['Cache-Control', 'no-store'],
]
const onHttps = constantHeaders(true)
const onHttp = constantHeaders(false)
