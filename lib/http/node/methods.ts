import { readdirSync } from 'node:fs'
import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage, pageMethods } from '../pages/own-pages'
import { isBuilt } from './built-paths'

/** The methods that Next knows. It fails with 500 or a stack trace on others. */
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

/**
 * The methods of Latchkey's own endpoints, pages and files, and of what a fork adds all that Next knows: its pages may have
 * Server Actions, which arrive as POST, and its route files say themselves what they take. Where there is nothing, a body
 * would be kept in memory for nobody.
 *
 * @param path of a request, percent-encoded
 * @param hasRoute whether the build has something for a path
 */
export function methodsOf(path: string, hasRoute = isBuilt): readonly string[] {
  if (isOwnEndpoint(path)) return methodsByPath[path]
  const name = decodePath(path) ?? path
  if (isOwnPage(name) || isFile(name)) return pageMethods
  // What is nothing under /api is not found, whatever the method.
  return name.startsWith('/api/') || hasRoute(path) || hasRoute(name) ? known : pageMethods
}

export const isKnownMethod = (method: string) => known.includes(method)

/** undefined if it is malformed */
export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Next would answer other methods on these with status 500. */
const isFile = (path: string) => path.startsWith('/_next/') || isExistingFile(path)

/** Whether a path is one of the files in `public` or of the build. */
export const isExistingFile = (path: string) => files().has(path)

const files = () =>
  singleton('files', () => new Set([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** A fork may have no such folder, and a server of endpoints alone has no build of the pages. */
function listFiles(folder: string, prefix: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return entries.map(({ parentPath, name }) => `${prefix}${parentPath.slice(folder.length)}/${name}`)
  } catch {
    return []
  }
}
