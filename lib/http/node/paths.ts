import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { isOwnPage } from '../preparation/own-pages'
import { hasBuiltRoute } from './built-routes'
import { isExistingFile } from './files'

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
