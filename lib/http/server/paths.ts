import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isEndpoint, methodsByPath, type Path } from '@/lib/api/endpoints'
import { ownFile } from '@/lib/process/files'
import { singleton } from '@/lib/process/singleton'
import { isAdminPath, isOwnPage, pageMethods } from '../pages/prepare'
import { decodePath } from '../request/head'
import { routedMethods } from '../route'
import { hasBuiltRoute } from './next'

/**
 * Kinds of paths:
 * - `endpoint`: a row of the table
 * - `page`: one of Latchkey's own
 * - `file`: in `public`, or made by the build
 * - `route`: a fork's page, route file, redirect or rewrite; or an endpoint's path with a slash at its end
 * - `unknown`: any other below /api; gets 404 without Next, which would take several times as long
 * - `nothing`: any other; gets the 404 page
 */
type PathKind = 'endpoint' | 'page' | 'file' | 'route' | 'unknown' | 'nothing'

export function kindOfPath(path: string, hasRoute = hasBuiltRoute): PathKind {
  if (isEndpoint(path)) return 'endpoint'
  const decoded = decodePath(path)
  const name = decoded ?? path
  if (isOwnPage(name) || isAdminPath(path)) return 'page'
  if (isExistingFile(name)) return 'file'
  const isBelowApi = name.startsWith('/api/')
  const mayBeRoute = isBelowApi ? decoded !== undefined : !name.startsWith('/_next/')
  // Next would resolve dot segments: /api/../signin is a page, which must take its turn and no body.
  if (mayBeRoute && !hasDotSegment(path) && (hasRoute(path) || (!isAscii(name) && hasRoute(name)))) return 'route'
  return isBelowApi ? 'unknown' : 'nothing'
}

/**
 * Next looks for static routes by the decoded path if it has other characters than ASCII, and for the parameters of dynamic
 * ones in the path as it arrived.
 */
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Finds dot segments also percent-encoded and between backslashes, as the URL Standard does. */
const hasDotSegment = (path: string) => /(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i.test(path)

const isExistingFile = (path: string) => files().has(path)

/** Returns the size in bytes. */
export const sizeOfFile = (path: string) => files().get(path)

const files = () =>
  singleton(
    'files',
    () => new Map([...listFiles(ownFile('public'), ''), ...listFiles(ownFile('.next/static'), '/_next/static')]),
  )

/** Empty without the folder, since there may be no build of the pages. */
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
 * The methods that a path accepts. A fork's pages may have Server Actions, which arrive as POST. Files take GET and HEAD only,
 * because Next answers others with 500; so do unknown paths, whose bodies would fill memory, except below /api, where every
 * method of a route file gets 404.
 */
export function methodsOf(path: string, kind = kindOfPath(path)): readonly string[] {
  if (kind === 'endpoint') return methodsByPath[path as Path]
  return kind === 'route' || kind === 'unknown' ? routedMethods : pageMethods
}
