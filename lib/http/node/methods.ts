import { methodsByPath } from '@/lib/api/endpoints'
import { type RoutedMethod, routedMethods } from '../every-method'
import { isOwnPage, pageMethods } from '../preparation/own-pages'
import { isBuilt, isBuiltAt } from './built-paths'
import { isFile } from './files'
import { decodePath, isOwnEndpoint } from './paths'

/** A fork's pages may have Server Actions, which arrive as POST. Unknown paths take no body, which would fill memory. */
export function methodsOf(path: string, hasRoute = isBuilt): readonly string[] {
  if (isOwnEndpoint(path)) return methodsByPath[path]
  const name = decodePath(path) ?? path
  if (isOwnPage(name) || isFile(name)) return pageMethods
  // Below /api, unknown paths are 404, not 405.
  return name.startsWith('/api/') || isBuiltAt(path, hasRoute) ? routedMethods : pageMethods
}

/** Next fails with 500 or a stack trace on others. */
export const isRoutedMethod = (method: string): method is RoutedMethod =>
  routedMethods.some((routed) => routed === method)
