import type { IncomingHttpHeaders } from 'node:http'

type Condition = { type: string; key: string; value?: string }

/** An entry of `config.json` (Vercel's Build Output API). One with `handle` begins a phase. */
export type Route = {
  handle?: string
  src?: string
  dest?: string
  status?: number
  headers?: Record<string, string>
  has?: Condition[]
  missing?: Condition[]
  continue?: boolean
  middlewarePath?: string
}

/** A request on its way through the route table, which rewrites it. */
export type Visit = {
  path: string
  /** Request headers for the function. */
  headers: IncomingHttpHeaders
  /** Response headers. */
  added: Record<string, string | string[]>
  status?: number
}

/** Groups the routes by phase; those before the first `handle` are the phase `start`. */
export function phasesOf(routes: Route[]): Map<string, Route[]> {
  const phases = new Map<string, Route[]>()
  let phase = 'start'
  for (const route of routes) {
    if (route.handle) phase = route.handle
    else phases.set(phase, [...(phases.get(phase) ?? []), route])
  }
  return phases
}

/** Applies the routes of a phase. `runMiddleware` returns false when it has answered. */
export async function follow(routes: Route[], visit: Visit, runMiddleware?: (path: string) => Promise<boolean>) {
  for (const route of routes) {
    const captures = match(route, visit)
    if (captures === null) continue
    if (route.middlewarePath && !(await runMiddleware?.(route.middlewarePath))) return
    apply(route, captures, visit)
    if (!route.continue) return
  }
}

function apply({ headers = {}, status, dest }: Route, captures: Captures, visit: Visit) {
  const fill = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => captures[name] ?? '')
  for (const [name, value] of Object.entries(headers)) visit.added[name.toLowerCase()] = fill(value)
  if (status) visit.status = status
  if (dest) visit.path = fill(dest)
}

/** What a route's expressions capture, by number and name. */
type Captures = Record<string, string | undefined>

function match({ src = '', has = [], missing = [] }: Route, { path, headers }: Visit): Captures | null {
  const found = new RegExp(`${src.startsWith('^') ? '' : '^'}${src}${src.endsWith('$') ? '' : '$'}`).exec(path)
  const held = has.map((condition) => matchHeader(condition, headers))
  if (!found || held.includes(null) || missing.some((condition) => matchHeader(condition, headers))) return null
  return Object.assign({}, [...found], found.groups, ...held.map((captures) => captures?.groups))
}

function matchHeader({ type, key, value = '.*' }: Condition, headers: IncomingHttpHeaders) {
  if (type !== 'header') throw new Error(`Unsupported route condition: ${type}`)
  const given = headers[key]
  return given === undefined ? null : new RegExp(`^${value}$`).exec(String(given))
}
