import { readdirSync } from 'node:fs'
import { endpoints } from '@/lib/api/endpoints'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage, pageMethods } from './own-pages'

/** The methods that Next knows. It fails with 500 or a stack trace on others. */
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export const isOwnEndpoint = (path: string): path is keyof typeof endpoints => Object.hasOwn(endpoints, path)

/**
 * The methods of Latchkey's own endpoints, pages and files, and of anything else all that Next knows: a fork's pages may
 * have Server Actions, which arrive as POST, and its route files say themselves what they take.
 *
 * @param path of a request, percent-encoded
 */
export function methodsOf(path: string): readonly string[] {
  if (isOwnEndpoint(path)) return endpoints[path].method === 'GET' ? pageMethods : ['POST']
  const name = decodePath(path) ?? path
  return isOwnPage(name) || isFile(name) ? pageMethods : known
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
const isFile = (path: string) => path.startsWith('/_next/') || publicFiles().has(path)

const publicFiles = () => singleton('public-files', () => new Set(listPublicFiles()))

/** A fork may have no such folder. */
function listPublicFiles(): string[] {
  try {
    const entries = readdirSync('public', { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath.slice(6)}/${name}`)
  } catch {
    return []
  }
}
