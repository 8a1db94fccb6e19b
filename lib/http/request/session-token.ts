import { bearerOf } from './bearer-token'
import { readCookie } from './cookies'

/** Unverified. A bearer token wins over a cookie (RFC 6750 section 2.1). */
export const sessionTokenOf = (headers: Headers) =>
  bearerOf(headers.get('Authorization')) ?? readCookie(headers, 'session')
