import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Locale } from '@/lib/messages/locales'
import { logConsole } from '@/lib/process/log'
import { settings } from '@/lib/settings/settings'
import { hidesAdministration } from '../pages/administration'
import { hiddenHeader, isAdminPath, policyHeader, preparePage, protectedPages } from '../pages/prepare'
import { isPageUnavailable, watchRender } from '../pages/unavailable'
import { localeOfApp } from '../request/context'
import { allHeaders, decodePath, nodeHeaders, pathOf, searchOf } from '../request/head'
import { beforeHead, dropInternalHeaders, hasFewParts, most, setCommonHeaders } from './every-exchange'
import { type Listener, rejectWith } from './listeners'
import { isRouterState, loadPages } from './next'
import { kindOfPath, sizeOfFile } from './paths'
import { renderInTurn } from './turns'

/** Serves everything that is not in the table of endpoints: pages, files, and the route files of a fork. */
export async function pagesListener(): Promise<Listener> {
  const { port, host: hostname, telemetry } = settings()
  const pages = await loadPages({ port, hostname, telemetry: telemetry !== null })
  const render = withUnavailableStatus(pages.render)
  logConsole(isPageUnavailable)
  return async (request, response) => {
    setCommonHeaders(response)
    const path = pathOf(request.url ?? '')
    if (limitHead(request, response)) return
    // Bodies under /api need no limit here: proxy.ts does not see them, so nothing keeps a copy.
    if (!path.startsWith('/api/') && limitBody(request, response, pages.bodyBytes)) return
    dropInternalHeaders(request)
    const kind = kindOfPath(path)
    // Includes paths of nothing, because Next resolves dot segments, which may lead to a file.
    if (kind !== 'route') dropUnmetConditions(request, path)
    if (kind === 'page' || kind === 'nothing') await renderOwnPage(request, response, render)
    else await render(request, response)
  }
}

/** Responds 503 where Next responds 500 although only the database or the backend is unavailable. */
const withUnavailableStatus =
  (render: Listener): Listener =>
  (request, response) =>
    watchRender((wasUnavailable) => {
      beforeHead(response, (status) => {
        if (status !== 500 || !wasUnavailable()) return status
        response.setHeader('Retry-After', '1')
        return 503
      })
      return render(request, response)
    })

async function renderOwnPage(request: IncomingMessage, response: ServerResponse, render: Listener): Promise<void> {
  dropRuntimePrefetch(request)
  if (isAdminPath(pathOf(request.url ?? '')) && (await hidesAdministration(allHeaders(request))))
    request.headers[hiddenHeader] = '1'
  if (await prepareOwnPage(request, response)) return
  renderInTurn(request, response, render)
}

/** Replaces proxy.ts, which takes half as long as a render and skips paths with a dot. @returns true if it has responded */
async function prepareOwnPage(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { url = '', headers } = request
  // Next fetches parts of a page with a query of its own, which it hides from proxy.ts.
  if (headers.rsc !== undefined) {
    renderIn(headers, localeOfApp(searchOf(url)))
    return false
  }
  const page = { path: pathOf(url), search: searchOf(url), headers: nodeHeaders(headers) }
  const { headers: prepared, cookies, redirection, language } = await preparePage(page, protectedPages)
  for (const [name, value] of Object.entries(prepared)) response.setHeader(name, value)
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
  headers[policyHeader] = prepared['Content-Security-Policy']
  renderIn(headers, language)
  if (!redirection) return false
  response.writeHead(redirection.status, { Location: redirection.path + redirection.search }).end()
  return true
}

/** Makes Next render in a language, which it reads from this header. */
function renderIn(headers: IncomingHttpHeaders, language: Locale | null): void {
  if (language) headers['accept-language'] = language
}

/* What Next would fail on, or take too long for. */

/**
 * Responds 413 to a body longer than `bytes`: at once if its Content-Length says so, else as soon as it is. Whoever reads the
 * body then waits forever.
 *
 * @returns true if it has responded
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, bytes: number): boolean {
  if (Number(request.headers['content-length']) > bytes) {
    rejectWith('payload_too_large')(request, response)
    return true
  }
  // Between Node's parser and every reader: Next's router reads the request itself, so a stream piped in between would not
  // reach it, and a listener for `data` would begin to read before Next does.
  const push = request.push.bind(request)
  let length = 0
  request.push = (chunk: Buffer | null, encoding) => {
    if (length > bytes) return true
    length += chunk?.length ?? 0
    if (length <= bytes) return push(chunk, encoding)
    // Reads and drops the rest: many clients send the whole body before they read the response.
    if (!response.headersSent) rejectWith('payload_too_large')(request, response)
    return true
  }
  return false
}

/**
 * Responds 400 to a head that takes Next long to read, or that it fails on with 500.
 *
 * @returns true if it has responded
 */
function limitHead(request: IncomingMessage, response: ServerResponse): boolean {
  const { 'next-router-state-tree': state } = request.headers
  if (hasFewParts(request) && (state === undefined || isReadable(state.toString()))) return false
  rejectWith('invalid_request')(request, response)
  return true
}

/** @param state percent-encoded */
const isReadable = (state: string) => state.split(/\[|%5b/i).length - 1 <= most.arrays && isRouterState(state)

/**
 * Drops a range that is not in the file, and every precondition together with its range, so that the client gets the whole file.
 * Next would answer 500 where it cannot meet them, after rendering an error page out of turn. A server may ignore ranges (RFC
 * 9110 section 14.2), and preconditions only protect changes, and files put together from ranges.
 */
function dropUnmetConditions({ headers }: IncomingMessage, path: string): void {
  const { range, 'if-match': tag, 'if-unmodified-since': date } = headers
  if (tag !== undefined || date !== undefined) {
    delete headers['if-match']
    delete headers['if-unmodified-since']
    delete headers.range
  } else if (range !== undefined && !isWithin(range, sizeOfFile(decodePath(path) ?? path) ?? 0)) delete headers.range
}

/** True for one range of bytes that begins in the file. */
function isWithin(range: string, size: number): boolean {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? []
  if (first === '') return Number(last) > 0 && Number(last) <= size
  return Number(first) < size && (last === '' || Number(last) >= Number(first))
}

/**
 * Drops the wish for a runtime prefetch, which Next cannot make of our pages: it would log an error. Its client asks for one only
 * where a route opts in.
 */
function dropRuntimePrefetch({ headers }: IncomingMessage): void {
  if (headers['next-router-prefetch'] === '2') delete headers['next-router-prefetch']
}
