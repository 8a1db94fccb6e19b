import { credentialsOf } from './authorization-header'

/** Unverified (RFC 6750 section 2.1); null for anything but one word. */
export function bearerOf(authorization: string | null): string | null {
  const token = credentialsOf(authorization, 'bearer')
  return token !== null && /^\S+$/.test(token) ? token : null
}
