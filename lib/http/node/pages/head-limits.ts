import type { IncomingMessage, ServerResponse } from 'node:http'
import { rejectWith } from '../reject'
import { isRouterState } from './next'

/**
 * Next takes time that grows with the square of these, mostly outside of any turn: up to 1.5 seconds, in which nobody else is
 * answered, for a head of 16 kB. Browsers send fewer: they keep some 180 cookies of a site. `characters` are those of all
 * cookies times their number, since Next writes all anew for each; `arrays` those of the router state, one or two for each
 * segment of a path.
 */
const most = { cookies: 200, characters: 1_000_000, parameters: 100, arrays: 99 }

/** Responds 400 to a head that Next would read for long, or fail to read, with 500. @returns whether it has responded */
export function limitHead(request: IncomingMessage, response: ServerResponse): boolean {
  const { cookie = '', 'next-router-state-tree': state } = request.headers
  const cookies = countOf(';', cookie) + 1
  const areFew = cookies <= most.cookies && cookies * cookie.length <= most.characters
  const isSmall = areFew && countOf('&', request.url ?? '') < most.parameters
  if (isSmall && (state === undefined || isReadable(state.toString()))) return false
  rejectWith('invalid_request')(request, response)
  return true
}

/** @param state percent-encoded */
const isReadable = (state: string) => countOf(/\[|%5b/i, state) <= most.arrays && isRouterState(state)

const countOf = (separator: string | RegExp, text: string) => text.split(separator).length - 1
