import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasFewParts, most } from '../bounded-heads'
import { rejectWith } from '../reject'
import { isRouterState } from './next'

/** Responds 400 to a head that Next would read for long, or fail to read, with 500. @returns whether it has responded */
export function limitHead(request: IncomingMessage, response: ServerResponse): boolean {
  const { 'next-router-state-tree': state } = request.headers
  if (hasFewParts(request) && (state === undefined || isReadable(state.toString()))) return false
  rejectWith('invalid_request')(request, response)
  return true
}

/** @param state percent-encoded */
const isReadable = (state: string) => countOf(/\[|%5b/i, state) <= most.arrays && isRouterState(state)

const countOf = (separator: string | RegExp, text: string) => text.split(separator).length - 1
