import { bearerOf } from './bearer-token'
import { readCookie } from './cookies'
import type { ReadableHeaders } from './node-headers'

/** Unverified. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export const sessionTokenOf = (headers: ReadableHeaders) =>
  bearerOf(headers.get('Authorization')) ?? readCookie(headers, 'session')
