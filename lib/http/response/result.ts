import type { ServerResponse } from 'node:http'
import { FastResponse } from 'srvx'
import type { Endpoint } from '@/lib/api/endpoints'
import { settings } from '@/lib/settings/settings'
import { apiHeaders, type Header, ownWindow, strictHeaders } from './headers'

/** An action's result with further headers for its response, such as cookies. */
export class WithHeaders<T> {
  readonly result: T
  readonly headers: Header[]

  constructor(result: T, headers: Header[]) {
    this.result = result
    this.headers = headers
  }
}

/** What an endpoint answers, before the headers of every response are added; its own replace those of the same name. */
export interface Answer {
  status: number
  headers: Header[]
  body: string | Uint8Array<ArrayBuffer> | null
}

/** An answer of JSON, or of a text that is already JSON. */
export const json = (value: object | string, { status = 200, headers = [] as Header[] } = {}): Answer => ({
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: typeof value === 'string' ? value : JSON.stringify(value),
})

/** A page of ours with its own policy, which tells the next page nothing: its address may have a token or a person's name. */
export const html = (document: string, policy: string, { status = 200, headers = [] as Header[] } = {}): Answer => ({
  status,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
    ['Referrer-Policy', 'no-referrer'],
    ...ownWindow,
    ...headers,
  ],
  body: document,
})

/** Redirects by 303, after which no browser sends a form, and with it a password, to the other URL (RFC 9700 section 4.12). */
export const seeOther = (location: string, headers: Header[] = []): Answer => ({
  status: 303,
  headers: [['Location', location], ['Referrer-Policy', 'no-referrer'], ...headers],
  body: null,
})

interface Completion {
  /** Null for a response that caches may keep, which gets neither `no-store` nor a request id */
  requestId: string | null
  cors?: Header[]
}

/** Adds to an answer the headers of every response. */
export function complete({ status, headers, body }: Answer, { requestId, cors = [] }: Completion): CompleteResponse {
  const shared = requestId === null ? strictHeaders(settings().secureCookies) : apiHeaders(requestId)
  const kept = shared.filter(([name]) => !headers.some(([own]) => own === name))
  return new CompleteResponse(status, [...kept, ...cors, ...headers], body)
}

/** A response that has all its headers from the start: adding them later takes several times as long as creating it. */
export class CompleteResponse extends FastResponse {
  readonly #status: number
  readonly #headers: Header[]
  readonly #body: Answer['body']

  constructor(status: number, headers: Header[], body: Answer['body']) {
    super(body, { status, headers })
    this.#status = status
    this.#headers = headers
    this.#body = body
  }

  /** Sends all in one write, much faster than srvx; `flat()` would take many times as long as the loop. */
  writeTo(response: ServerResponse): void {
    const headers: string[] = []
    for (const [name, value] of this.#headers) headers.push(name, value)
    // RFC 9110 section 8.6 forbids a length with these.
    if (this.#status !== 204 && this.#status !== 304)
      headers.push('Content-Length', String(this.#body === null ? 0 : Buffer.byteLength(this.#body)))
    response.writeHead(this.#status, headers).end(this.#body)
  }
}

export interface Statuses {
  full: number
  empty: number
}

/** The statuses of a success, with a result and without one. */
export function statusesOf({ results }: Endpoint): Statuses {
  const rows = Object.entries(results).map(([status, schema]) => ({ status: Number(status), schema }))
  const [first] = rows
  const empty = rows.find(({ schema }) => schema === null)
  return { full: Number(first?.status), empty: empty?.status ?? 204 }
}

/** The answer of an action: JSON, or no body for null and undefined. */
export function resultAnswer(outcome: unknown, statuses: Statuses | undefined): Answer {
  const { result, headers } = outcome instanceof WithHeaders ? outcome : new WithHeaders(outcome, [])
  if (result == null) return { status: statuses?.empty ?? 204, headers, body: null }
  return json(result as object, { status: statuses?.full ?? 200, headers })
}
