import { readFileSync } from 'node:fs'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage } from '../preparation/own-pages'
import { isExistingFile } from './files'
import { decodePath } from './paths'

/** Latchkey's pages and the 404 page. */
export function isRenderedByUs(path: string, hasRoute = isBuilt): boolean {
  const name = decodePath(path) ?? path
  return isOwnPage(name) || !(isBuiltAt(path, hasRoute) || isExistingFile(name))
}

/** Next finds static routes by the decoded path, and the parameters of dynamic ones in the path as it arrived. */
export const isBuiltAt = (path: string, hasRoute: typeof isBuilt) =>
  hasRoute(path) || hasRoute(decodePath(path) ?? path)

/** Whether the build has a page, a route file or a rewrite for the path. */
export const isBuilt = (path: string) => singleton('built-paths', () => pathMatcher(readManifest()))(path)

interface ManifestRoute {
  regex: string
  page?: string
}

interface Manifest {
  staticRoutes: ManifestRoute[]
  dynamicRoutes: ManifestRoute[]
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
  const { staticRoutes, dynamicRoutes, rewrites } = manifest
  const rows = [...staticRoutes, ...dynamicRoutes, ...Object.values(rewrites).flat()]
  // Without Next's error pages.
  const patterns = rows.filter(({ page }) => !page?.startsWith('/_')).map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}
