import { methodsByPath } from '@/lib/api/endpoints'
import { isOwnPage, pageMethods } from '../pages/own-pages'
import { decodePath, isBuilt, isBuiltAt, isFile, isOwnEndpoint } from './paths'

/** Next fails with 500 or a stack trace on other methods. */
const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

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

export const isKnownMethod = (method: string) => known.includes(method)
