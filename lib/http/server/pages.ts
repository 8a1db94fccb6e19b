import { AsyncResource } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { networkOf } from '@/lib/auth/request'
import { FairQueue, startNext } from '@/lib/fair-queue/fair-queue'
import type { StartableJob } from '@/lib/fair-queue/lanes'
import { logConsole } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { hidesAdministration } from '../pages/administration'
import { hiddenHeader, inLanguageOf, isAdminPath, preparePage, protectedPages } from '../pages/prepare'
import { isPageUnavailable, watchRender } from '../pages/unavailable'
import { clientAddress } from '../request/addresses'
import { allHeaders, decodePath, nodeHeaders, pathOf, searchOf } from '../request/head'
import { localeOfApp } from '../request/language'
import { earlierResponsesSent } from './connections'
import { type Listener, rejectWith, serveRequest } from './listeners'
import {
  beforeHead,
  dropInternalHeaders,
  dropRuntimePrefetch,
  dropUnmetConditions,
  isReadableHead,
  limitBody,
  loadPages,
  setCommonHeaders,
  shortenUserAgent,
} from './next'
import { kindOfPath, sizeOfFile } from './paths'

/** Serves everything that is not in the table of endpoints: pages, files, and the route files of a fork. */
export async function pagesListener(): Promise<Listener> {
  const { port, host: hostname, telemetry } = settings()
  const pages = await loadPages({ port, hostname, telemetry: telemetry !== null })
  const render = withUnavailableStatus(pages.render)
  logConsole(isPageUnavailable)
  return async (request, response) => {
    setCommonHeaders(response)
    const path = pathOf(request.url ?? '')
    if (!isReadableHead(request)) {
      rejectHead(request, response)
      return
    }
    // Bodies under /api need no limit here: proxy.ts does not see them, so nothing keeps a copy.
    if (!path.startsWith('/api/') && limitBody(request, pages.bodyBytes, () => rejectLongBody(request, response)))
      return
    dropInternalHeaders(request)
    shortenUserAgent(request)
    const kind = kindOfPath(path)
    // Includes paths of nothing, because Next resolves dot segments, which may lead to a file.
    if (kind !== 'route') dropUnmetConditions(request, sizeOfFile(decodePath(path) ?? path) ?? 0)
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
    Object.assign(headers, inLanguageOf(localeOfApp(searchOf(url))))
    return false
  }
  const page = { path: pathOf(url), search: searchOf(url), headers: nodeHeaders(headers) }
  const { headers: prepared, cookies, redirection, forNext } = await preparePage(page, protectedPages)
  for (const [name, value] of Object.entries(prepared)) response.setHeader(name, value)
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies)
  Object.assign(headers, forNext)
  if (!redirection) return false
  response.writeHead(redirection.status, { Location: redirection.path + redirection.search }).end()
  return true
}

const rejectHead = rejectWith('invalid_request')

const rejectLongBody: Listener = (request, response) => {
  if (!response.headersSent) rejectWith('payload_too_large')(request, response)
}

/* Whose page renders next. */

/** Several pages render at once, because a render also waits for the database. */
const shares = { places: 4, perAddress: 2 }

/** A render that takes longer gives up its place: it waits for a backend or a slow client, and computes nothing. */
const longestMilliseconds = 1_000

const renders = () => singleton('page-turns', () => new FairQueue<StartableJob>(shares))

/**
 * Queues renders by address, since they share one thread. While 40 connections of one address ask for pages, another's page takes
 * 40 ms and its answer of the API 3; without turns, 450 and 45. A page waits outside the queue for earlier responses of its
 * connection: it could not end before them, and would keep its place.
 */
export function renderInTurn(request: IncomingMessage, response: ServerResponse, render: Listener): void {
  const address = clientAddress(nodeHeaders(request.headers))
  const job: StartableJob = {
    address,
    party: networkOf(address),
    line: address,
    work: 1,
    // Bound to its own async context, because the end of another request starts it. Next keeps the context of a render, which
    // would then hold on to that request, and to all before it: a stranger who always has one waiting would fill the memory.
    start: AsyncResource.bind(() => {
      const late = setTimeout(leave, longestMilliseconds)
      response.once('close', () => clearTimeout(late))
      void serveRequest(render, request, response)
    }),
  }
  const leave = () => {
    renders().remove(job)
    renders().finish(job)
    startNext(renders())
  }
  response.once('close', leave)
  void earlierResponsesSent(request, response)
    .then(untilClosed)
    .then(() => {
      if (response.destroyed) return
      renders().add(job)
      startNext(renders())
    })
}

/**
 * Waits until Node knows if the client has gone already: it reads the end of a connection in the next poll of its event loop, and
 * emits `close` after the immediates of that iteration. Otherwise a stranger who only opens and closes connections would have a
 * page rendered for each.
 */
async function untilClosed(): Promise<void> {
  for (let immediate = 0; immediate < 3; immediate += 1) await setImmediate()
}
