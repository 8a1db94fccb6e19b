import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { singleton } from '@/lib/process/singleton'
import { routedMethods } from '../dispatch'
import { isOwnPage, pageMethods } from '../pages/prepare'

/**
 * What is at a path:
 * - `endpoint`: a row of the table
 * - `page`: one of Latchkey's own
 * - `file`: of `public`, or that the build has made
 * - `route`: what a fork adds: a page, a route file, a redirect or a rewrite; or an endpoint's path with a slash at its end
 * - `unknown`: below /api, and none of these; 404 without Next, which would take several times as long
 * - `nothing`: the 404 page
 */
type PathKind = 'endpoint' | 'page' | 'file' | 'route' | 'unknown' | 'nothing'

export function kindOfPath(path: string, hasRoute = hasBuiltRoute): PathKind {
  if (isOwnEndpoint(path)) return 'endpoint'
  const decoded = decodePath(path)
  const name = decoded ?? path
  if (isOwnPage(name)) return 'page'
  if (isExistingFile(name)) return 'file'
  const isBelowApi = name.startsWith('/api/')
  const mayBeRoute = isBelowApi ? decoded !== undefined : !name.startsWith('/_next/')
  // Next would resolve dot segments: /api/../signin is a page, which must take its turn and no body.
  if (mayBeRoute && !hasDotSegment(path) && (hasRoute(path) || (!isAscii(name) && hasRoute(name)))) return 'route'
  return isBelowApi ? 'unknown' : 'nothing'
}

/**
 * Next finds static routes by the decoded path where it has other characters than ASCII, and the parameters of dynamic ones in
 * the path as it arrived.
 */
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Also percent-encoded, and between backslashes: the URL Standard reads all of these as dot segments. */
const hasDotSegment = (path: string) => /(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i.test(path)

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Whether the build has a page, a route file, a redirect or a rewrite for the path. */
const hasBuiltRoute = (path: string) => singleton('built-routes', () => pathMatcher(readManifest()))(path)

interface ManifestRoute {
  regex: string
  page?: string
}

interface Manifest {
  staticRoutes: ManifestRoute[]
  dynamicRoutes: ManifestRoute[]
  /** `internal`: Next's own, from a path with a slash at its end */
  redirects: (ManifestRoute & { internal?: boolean })[]
  rewrites: { beforeFiles: ManifestRoute[]; afterFiles: ManifestRoute[]; fallback: ManifestRoute[] }
}

/** Null where no pages are built. */
function readManifest(): Manifest | null {
  try {
    return JSON.parse(readFileSync('.next/routes-manifest.json', 'utf8'))
  } catch {
    return null
  }
}

export function pathMatcher(manifest: Manifest | null): (path: string) => boolean {
  if (!manifest) return () => false
  const { staticRoutes, dynamicRoutes, redirects, rewrites } = manifest
  // One of every path, such as from another host, would make a route of each unknown path. A rewrite of every path does: it
  // passes unknown paths on to another server.
  const own = redirects.filter(({ internal, regex }) => !internal && !new RegExp(regex).test('/_'))
  const rows = [...staticRoutes, ...dynamicRoutes, ...own, ...Object.values(rewrites).flat()]
  // Without Next's error pages, and our 404 below /api.
  const patterns = rows
    .filter(({ page }) => !page?.startsWith('/_') && page !== '/api/[...path]')
    .map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}

const isExistingFile = (path: string) => files().has(path)

/** In bytes. */
export const sizeOfFile = (path: string) => files().get(path)

const files = () =>
  singleton('files', () => new Map([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** Empty without the folder: pages may not be built. */
function listFiles(folder: string, prefix: string): [path: string, bytes: number][] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    // Windows separates folders by backslashes.
    const under = (parentPath: string) => parentPath.slice(folder.length).replaceAll('\\', '/')
    return entries.map(({ parentPath, name }) => [
      `${prefix}${under(parentPath)}/${name}`,
      statSync(join(parentPath, name)).size,
    ])
  } catch {
    return []
  }
}

/**
 * A fork's pages may have Server Actions, which arrive as POST. Next answers other methods than GET and HEAD on files with 500,
 * and unknown paths take no body, which would fill memory; below /api they are 404 with every method that a route may have.
 */
export function methodsOf(path: string, kind = kindOfPath(path)): readonly string[] {
  if (kind === 'endpoint') return methodsByPath[path as Path]
  return kind === 'route' || kind === 'unknown' ? routedMethods : pageMethods
}
