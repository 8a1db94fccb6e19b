import { readdirSync } from 'node:fs'
import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage, pageMethods } from '../pages/own-pages'
import { isBuilt } from './built-paths'

/** Next fails with 500 or a stack trace on other methods. */
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

/**
 * The methods of a percent-encoded path. What a fork adds takes all that Next knows: its pages may have Server Actions,
 * which arrive as POST. Unknown paths take no body, which would only fill memory.
 */
export function methodsOf(path: string, hasRoute = isBuilt): readonly string[] {
  if (isOwnEndpoint(path)) return methodsByPath[path]
  const name = decodePath(path) ?? path
  if (isOwnPage(name) || isFile(name)) return pageMethods
  // Unknown paths under /api are not found, whatever the method.
  return name.startsWith('/api/') || isBuiltAt(path, hasRoute) ? known : pageMethods
}

/** Of a percent-encoded path: Latchkey's pages and the 404 page. A fork's own may wait for anything. */
export function isRenderedByUs(path: string, hasRoute = isBuilt): boolean {
  const name = decodePath(path) ?? path
  return isOwnPage(name) || !(isBuiltAt(path, hasRoute) || isExistingFile(name))
}

/** Next finds static routes by the decoded path, and the parameters of dynamic ones in the path as it arrived. */
const isBuiltAt = (path: string, hasRoute: typeof isBuilt) => hasRoute(path) || hasRoute(decodePath(path) ?? path)

export const isKnownMethod = (method: string) => known.includes(method)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Next answers other methods on these with 500. */
const isFile = (path: string) => path.startsWith('/_next/') || isExistingFile(path)

const isExistingFile = (path: string) => files().has(path)

const files = () =>
  singleton('files', () => new Set([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** Empty without the folder: a fork may have no `public`, a server of endpoints alone no pages. */
function listFiles(folder: string, prefix: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return entries.map(({ parentPath, name }) => `${prefix}${parentPath.slice(folder.length)}/${name}`)
  } catch {
    return []
  }
}
