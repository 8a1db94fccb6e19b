import type { IncomingMessage, ServerResponse } from 'node:http'
import { rejectWith } from '../reject'
import { isRouterState } from './next'

/**
 * Next takes time that grows with the square of these, outside of any turn: seconds, in which nobody else is answered, for a
 * head of 16 kB. Browsers send fewer: they keep some 180 cookies of a site.
 */
const most = { cookies: 200, parameters: 100 }

/** Responds 400 to a head that Next would read for long, or fail to read, with 500. @returns whether it has responded */
export function limitHead(request: IncomingMessage, response: ServerResponse): boolean {
  const { cookie = '', 'next-router-state-tree': state } = request.headers
  const isSmall = countOf(';', cookie) < most.cookies && countOf('&', request.url ?? '') < most.parameters
  if (isSmall && (state === undefined || isRouterState(state.toString()))) return false
  rejectWith('invalid_request')(request, response)
  return true
}

const countOf = (separator: string, text: string) => text.split(separator).length - 1
