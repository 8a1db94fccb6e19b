import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

/*
 * What Latchkey uses of Next beyond its public API. tests/unit/next-internals.spec.ts says of each whether it is still
 * needed, and still there, after an update.
 */

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

interface Options {
  port: number
  hostname: string | undefined
  telemetry: boolean
}

/** Next's listener, and the bytes of a body that it hands to proxy.ts and a page. Loads the build of the pages. */
export async function loadPages(options: Options): Promise<{ render: Listener; bodyBytes: number }> {
  const require = createRequire(import.meta.url)
  if (!options.telemetry) keepTelemetryOut(require)
  // Loaded first, because Next otherwise logs to stdout that it ran next.config.mjs.
  const { default: loadConfig }: typeof import('next/dist/server/config') = require('next/dist/server/config')
  const { experimental } = await loadConfig('phase-production-server', process.cwd(), { silent: true })
  const { default: next } = await import('next')
  const { port, hostname } = options
  // Next would add its own upgrade listener to our server, and requests that offer an upgrade would get no response.
  const pages = next({ dev: false, port, httpServer: createServer(), ...(hostname && { hostname }) })
  await pages.prepare()
  removeListener()
  return { render: pages.getRequestHandler(), bodyBytes: Number(experimental.proxyClientMaxBodySize) }
}

/** Next loads OpenTelemetry's API where it is installed, which takes six megabytes, instead of the small copy that it brings. */
function keepTelemetryOut(require: NodeJS.Require): void {
  const copy = require.resolve('next/dist/compiled/@opentelemetry/api')
  require(copy)
  require.cache[require.resolve('@opentelemetry/api')] = require.cache[copy]
}

/**
 * Keeps Next from adding listeners for what nothing caught, which would print it in several lines and go on. It leaves them
 * out if this says that they are installed. Call it before `loadPages`.
 */
export function replaceErrorListeners(): void {
  const [onRejection] = process.listeners('unhandledRejection')
  Object.assign(globalThis, {
    nextInitializedProcessErrorHandlers: true,
    [Symbol.for('next.unhandledRejectionListener')]: onRejection,
  })
}

/** Removes the listener that Next adds while it prepares, which would print every exception once more. Others' stay. */
function removeListener(): void {
  for (const listener of process.listeners('uncaughtException'))
    if (listener.name === 'logError') process.off('uncaughtException', listener)
}

type RouterStateParser = typeof import('next/dist/server/app-render/parse-and-validate-flight-router-state')

/** Whether Next can read the header by which its pages say what they show already; it fails with 500 on others. */
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
