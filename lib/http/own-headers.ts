import { settings } from '@/lib/settings/settings'
import { commonHeaders } from './security-headers'

/** The headers of every response of an endpoint. */
export const ownHeaders = (requestId: string): [name: string, value: string][] => [
  ...Object.entries(commonHeaders(settings().secureCookies)),
  ['Cache-Control', 'no-store'],
  ['X-Request-Id', requestId],
]
