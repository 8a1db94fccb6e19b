import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { ownFile } from '@/lib/process/files'
import type { Listener } from './send'

/* All that Latchkey uses of Next beyond its public API. tests/unit/project/next-internals.spec.ts fails if an update changes it. */

interface Options {
  port: number
  hostname: string | undefined
  telemetry: boolean
}

/** Starts Next. `bodyBytes` is how much of a body Next passes to proxy.ts and a page. */
export async function loadPages(options: Options): Promise<{ render: Listener; bodyBytes: number }> {
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
