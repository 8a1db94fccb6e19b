import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { ownFile } from '@/lib/process/files'
import { singleton } from '@/lib/process/singleton'
import { hiddenHeader } from '../pages/prepare'

/*
 * What three files know of Next's inside, beyond its public API. tests/unit/project/next-internals.spec.ts fails if an update
 * changes the part of this one; the specs of pages and of requests drive the others'.
 *
 *   next.ts            its configuration's loader, the parser of its client's header, its listeners for errors, the copy of
 *                      OpenTelemetry that it loads, the manifest of its build
 *   pages.ts           that it reads a body by `push` of the request and a page's language and policy from headers, and which
 *                      heads it fails on
 *   every-exchange.ts  the headers by which a client could control it, those by which it tells of a rewrite, and that it sets
 *                      headers until `writeHead`; also where Next serves alone
 */

interface Options {
  port: number
  hostname: string | undefined
  telemetry: boolean
}

type Render = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Starts Next. `bodyBytes` is how much of a body Next passes to proxy.ts and a page. */
export async function loadPages(options: Options): Promise<{ render: Render; bodyBytes: number }> {
  const require = createRequire(import.meta.url)
  if (!options.telemetry) keepTelemetryOut(require)
  // Loads the configuration first: otherwise Next logs to stdout that it ran next.config.mjs.
  const { default: loadConfig }: typeof import('next/dist/server/config') = require('next/dist/server/config')
  const { experimental } = await loadConfig('phase-production-server', ownFile(), { silent: true })
  const { default: next } = await import('next')
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

type RouterStateParser = typeof import('next/dist/server/app-render/parse-and-validate-flight-router-state')

/** True if Next can parse this header of its own client; on others it fails with 500. */
export function isRouterState(header: string): boolean {
  const require = createRequire(import.meta.url)
  const parser: RouterStateParser = require('next/dist/server/app-render/parse-and-validate-flight-router-state')
  try {
    parser.parseAndValidateFlightRouterState(header)
    return true
  } catch {
    return false
  }
}

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
