import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { isOwnPage } from '../preparation/own-pages'
import { hasBuiltRoute } from './built-routes'
import { isExistingFile } from './files'

/**
 * What is at a path:
 * - `endpoint`: a row of the table
 * - `page`: one of Latchkey's own
 * - `file`: of `public`, or that the build has made
 * - `route`: anything below /api, and what a fork adds: a page, a route file or a rewrite
 * - `malformed`: below /api, and percent-encoded in a way that Next would answer with 400
 * - `nothing`: the 404 page
 */
type PathKind = 'endpoint' | 'page' | 'file' | 'route' | 'malformed' | 'nothing'

export function kindOfPath(path: string, hasRoute = hasBuiltRoute): PathKind {
  if (isOwnEndpoint(path)) return 'endpoint'
  const decoded = decodePath(path)
  const name = decoded ?? path
  if (isOwnPage(name)) return 'page'
  if (isExistingFile(name)) return 'file'
  if (name.startsWith('/_next/')) return 'nothing'
  if (name.startsWith('/api/')) return decoded === undefined ? 'malformed' : 'route'
  // Next finds static routes by the decoded path where it has other characters than ASCII, and the parameters of dynamic ones
  // in the path as it arrived.
  return hasRoute(path) || hasRoute(name) ? 'route' : 'nothing'
}

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
