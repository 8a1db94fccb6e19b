import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { routedMethods } from '../dispatch'
import { pageMethods } from '../preparation/own-pages'
import { kindOfPath } from './paths'

/**
 * A fork's pages may have Server Actions, which arrive as POST. Next answers other methods than GET and HEAD on files with 500,
 * and unknown paths take no body, which would fill memory; below /api they are 404 with every method that a route may have.
 */
export function methodsOf(path: string, kind = kindOfPath(path)): readonly string[] {
  if (kind === 'endpoint') return methodsByPath[path as Path]
  return kind === 'route' || kind === 'unknown' ? routedMethods : pageMethods
}
