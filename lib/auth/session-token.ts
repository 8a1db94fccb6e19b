import { type Claims, readToken } from './tokens'
import { cachedVerification } from './verified-tokens'

/** The claims of a session's token, also of one that is over; null if it is no such token. */
export const readSessionToken = (token: string): Promise<Claims<'session'> | null> =>
  cachedVerification('session', token, () => readToken('session', token))
