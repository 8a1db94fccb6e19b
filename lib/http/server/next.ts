import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { ownFile } from '@/lib/process/files'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { hiddenHeader, policyHeader } from '../pages/prepare'
import { longestUserAgent } from '../request/context'
import { commonHeaders, framePolicy, strictPolicy } from '../response/headers'

/*
 * What Latchkey knows of Next's inside, beyond its public API, in the order in which a request meets it: how Next starts, which
 * paths it has, which heads and bodies it reads badly, which headers control it, and what it does to a response. Where Next
 * serves alone, every-exchange.ts uses what it can of this. tests/unit/project/next-internals.spec.ts fails if an update changes
 * the first part; the specs of pages and of requests drive the others.
 */

/* How it starts. */

interface Options {
  port: number
  hostname: string | undefined
  telemetry: boolean
}

type Render = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Requires Next at run time: where Next serves alone, an `import` would bundle Next into itself. */
const requireOfNext = () => createRequire(ownFile('package.json'))

/** Starts Next. `bodyBytes` is how much of a body Next passes to proxy.ts and a page. */
export async function loadPages(options: Options): Promise<{ render: Render; bodyBytes: number }> {
  const require = requireOfNext()
  if (!options.telemetry) keepTelemetryOut(require)
  // Loads the configuration first: otherwise Next logs to stdout that it ran next.config.mjs.
  const { default: loadConfig }: typeof import('next/dist/server/config') = require('next/dist/server/config')
  const { experimental } = await loadConfig('phase-production-server', ownFile(), { silent: true })
  const next: typeof import('next').default = require('next')
  const { port, hostname } = options
  // Gives Next a server of its own: it adds a listener for upgrades, and on ours such requests would get no response.
  const pages = next({ dev: false, dir: ownFile(), port, httpServer: createServer(), ...(hostname && { hostname }) })
  await pages.prepare()
  removeListener()
  return { render: pages.getRequestHandler(), bodyBytes: Number(experimental.proxyClientMaxBodySize) }
}

/**
 * Makes Next load its own small copy of OpenTelemetry's API, since the installed one takes six megabytes of memory. Next requires
 * the installed one first and has no option for it; only the cache of modules comes before that.
 */
function keepTelemetryOut(require: NodeJS.Require): void {
  const copy = require.resolve('next/dist/compiled/@opentelemetry/api')
  require(copy)
  require.cache[require.resolve('@opentelemetry/api')] = require.cache[copy]
}

/** Keeps Next from adding its own listeners for uncaught errors, which print and go on. Call it before `loadPages`. */
export function replaceErrorListeners(): void {
  const [onRejection] = process.listeners('unhandledRejection')
  Object.assign(globalThis, {
    nextInitializedProcessErrorHandlers: true,
    [Symbol.for('next.unhandledRejectionListener')]: onRejection,
  })
}

/** Removes the one listener that Next still adds, which prints every exception once more. */
function removeListener(): void {
  for (const listener of process.listeners('uncaughtException'))
    if (listener.name === 'logError') process.off('uncaughtException', listener)
}

/* Which paths it has. */

/** True if the build has a page, a route file, a redirect or a rewrite for the path. */
export const hasBuiltRoute = (path: string) => singleton('built-routes', () => pathMatcher(readManifest()))(path)

interface ManifestRoute {
  regex: string
  page?: string
  has?: { key?: string }[]
}

interface Manifest {
  staticRoutes: ManifestRoute[]
  dynamicRoutes: ManifestRoute[]
  /** `internal`: Next's own, from a path with a slash at its end */
  redirects: (ManifestRoute & { internal?: boolean })[]
  rewrites: { beforeFiles: ManifestRoute[]; afterFiles: ManifestRoute[]; fallback: ManifestRoute[] }
}

/** Null if there is no build of the pages. */
function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync(ownFile('.next/routes-manifest.json'), 'utf8'))
  } catch {
    return null
  }
}

export function pathMatcher(manifest: Manifest | null): (path: string) => boolean {
  if (!manifest) return () => false
  const { staticRoutes, dynamicRoutes, redirects, rewrites } = manifest
  // A redirect of every path, such as one from another host, must not make unknown paths look like routes. A rewrite of every
  // path does, because it passes unknown paths on to another server.
  const own = redirects.filter(({ internal, regex }) => !internal && !new RegExp(regex).test('/_'))
  const rows = [...staticRoutes, ...dynamicRoutes, ...own, ...Object.values(rewrites).flat()]
  // Leaves out Next's error pages, our 404 below /api, and the rewrite of hidden pages to nothing.
  const patterns = rows
    .filter(({ page }) => !page?.startsWith('/_') && page !== '/api/[...path]')
    .filter(({ has }) => !has?.some(({ key }) => key === hiddenHeader))
    .map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

/* Which heads and bodies it reads badly. */

/**
 * Limits for the parts of a head. Next takes time that grows with the square of their number, mostly outside of any turn: for a
 * head of 16 kB up to 1.5 seconds, in which nobody else gets an answer. Browsers send fewer: they keep some 180 cookies of a
 * site. `characters` limits the length of all cookies times their number, since Next writes all anew for each; `arrays` limits
 * those of the router state, which has one or two for each segment of a path.
 */
const most = { cookies: 200, characters: 1_000_000, parameters: 100, arrays: 99 }

/** True if the head has few enough cookies and parameters for Next to read in little time. */
export function hasFewParts({ headers: { cookie = '' }, url = '' }: IncomingMessage): boolean {
  const cookies = cookie.split(';').length
  const areFew = cookies <= most.cookies && cookies * cookie.length <= most.characters
  return areFew && url.split('&').length <= most.parameters
}

/** True for a head that Next neither fails on with 500 nor takes long to read. */
export function isReadableHead(request: IncomingMessage): boolean {
  const state = request.headers['next-router-state-tree']?.toString()
  // The header is percent-encoded.
  const isReadable = (text: string) => text.split(/\[|%5b/i).length - 1 <= most.arrays && isRouterState(text)
  return hasFewParts(request) && (state === undefined || isReadable(state))
}

type RouterStateParser = typeof import('next/dist/server/app-render/parse-and-validate-flight-router-state')

/** True if Next can parse this header of its own client; on others it fails with 500. */
export function isRouterState(header: string): boolean {
  const require = requireOfNext()
  const parser: RouterStateParser = require('next/dist/server/app-render/parse-and-validate-flight-router-state')
  try {
    parser.parseAndValidateFlightRouterState(header)
    return true
  } catch {
    return false
  }
}

/**
 * Limits a body to `bytes`: Next would keep each in memory. Whoever reads a longer one waits forever.
 *
 * @param reject responds: at once if Content-Length says that the body is longer, else as soon as it is
 * @returns true if it has responded
 */
export function limitBody(request: IncomingMessage, bytes: number, reject: () => void): boolean {
  if (Number(request.headers['content-length']) > bytes) {
    reject()
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
    reject()
    return true
  }
  return false
}

/* Which headers control it. */

/**
 * Cuts User-Agent to the beginning, which is all that we read. Next searches it for bots with a pattern whose time grows with the
 * square of the text (`html-bots.js`): 15 kB would hold the process for a second.
 */
export function shortenUserAgent({ headers }: IncomingMessage): void {
  if (headers['user-agent']) headers['user-agent'] = headers['user-agent'].slice(0, longestUserAgent)
}

/**
 * Drops headers by which a client could control Next. A policy would keep proxy.ts from setting ours. `x-prerender-revalidate`
 * makes Next render a page anew if it has the build's preview id, which anybody can read who has the image; if the page is not in
 * the cache, Next then recurses forever.
 */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  delete headers[policyHeader]
  delete headers['x-prerender-revalidate']
  delete headers[hiddenHeader]
}

/**
 * Drops a range that is not in the file, and every precondition together with its range, so that the client gets the whole file.
 * Next would answer 500 where it cannot meet them, after rendering an error page out of turn. A server may ignore ranges (RFC
 * 9110 section 14.2), and preconditions only protect changes, and files put together from ranges.
 */
export function dropUnmetConditions({ headers }: IncomingMessage, fileSize: number): void {
  const { range, 'if-match': tag, 'if-unmodified-since': date } = headers
  if (tag !== undefined || date !== undefined) {
    delete headers['if-match']
    delete headers['if-unmodified-since']
    delete headers.range
  } else if (range !== undefined && !isWithin(range, fileSize)) delete headers.range
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
export function dropRuntimePrefetch({ headers }: IncomingMessage): void {
  if (headers['next-router-prefetch'] === '2') delete headers['next-router-prefetch']
}

/* What it does to a response. */

/** Sets the headers before Next handles the request, so that each of its files, redirects and errors has them. */
export function setCommonHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(commonHeaders(settings().secureCookies))) response.setHeader(name, value)
  beforeHead(response, (status) => {
    // Next tells its client of a rewrite, which would tell a hidden page from an unknown one.
    if (hiddenHeader in response.req.headers) for (const name of rewriteHeaders) response.removeHeader(name)
    if (isRedirect(status) && !response.hasHeader('Content-Type')) declareText(response)
    return status
  })
}

const rewriteHeaders = ['x-nextjs-rewritten-path', 'x-nextjs-rewritten-query']

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304

/** Declares the type of Next's redirects, which have a body (RFC 9110 section 8.3), and the policy for what is no page. */
function declareText(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  if (response.getHeader('Content-Security-Policy') === framePolicy)
    response.setHeader('Content-Security-Policy', strictPolicy)
}

/**
 * Calls a function right before Node sends a response's head, by its `writeHead`: Node has no event for that moment, and Next sets
 * headers until then. `end()` would be too late: Next's compression sends the head first.
 *
 * @param change may set headers, and returns the status to send
 */
export function beforeHead(response: ServerResponse, change: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...rest: unknown[]) => writeHead(change(status), ...rest)
}
