import type { IncomingMessage } from 'node:http'

/** Node's `maxHeadersCount`, which it reaches in silence. */
const maxLines = 1_000

/**
 * Whether Node may have dropped lines of the head, such as those that a proxy writes behind the client's: its address, and the
 * host that forward-auth checks.
 */
export const hasTruncatedHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length >= 2 * maxLines

/**
 * Next takes time that grows with the square of these, mostly outside of any turn: up to 1.5 seconds, in which nobody else is
 * answered, for a head of 16 kB. Browsers send fewer: they keep some 180 cookies of a site. `characters` are those of all
 * cookies times their number, since Next writes all anew for each; `arrays` those of the router state, one or two for each segment
 * of a path.
 */
export const most = { cookies: 200, characters: 1_000_000, parameters: 100, arrays: 99 }

/** Whether Next reads the cookies and parameters of a head in little time. */
export function hasFewParts({ headers: { cookie = '' }, url = '' }: IncomingMessage): boolean {
  const cookies = cookie.split(';').length
  const areFew = cookies <= most.cookies && cookies * cookie.length <= most.characters
  return areFew && url.split('&').length <= most.parameters
}
