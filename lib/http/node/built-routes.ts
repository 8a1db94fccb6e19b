import { readFileSync } from 'node:fs'
import { singleton } from '@/lib/process/singleton'

/** Whether the build has a page, a route file, a redirect or a rewrite for the path. */
export const hasBuiltRoute = (path: string) => singleton('built-routes', () => pathMatcher(readManifest()))(path)

interface ManifestRoute {
  regex: string
  page?: string
}

interface Manifest {
  staticRoutes: ManifestRoute[]
  dynamicRoutes: ManifestRoute[]
  /** `internal`: Next's own, from a path with a slash at its end */
  redirects: (ManifestRoute & { internal?: boolean })[]
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
  const { staticRoutes, dynamicRoutes, redirects, rewrites } = manifest
  // One of every path, such as from another host, would make a route of each unknown path. A rewrite of every path does: it
  // passes unknown paths on to another server.
  const own = redirects.filter(({ internal, regex }) => !internal && !new RegExp(regex).test('/_'))
  const rows = [...staticRoutes, ...dynamicRoutes, ...own, ...Object.values(rewrites).flat()]
  // Without Next's error pages, and our 404 below /api.
  const patterns = rows
    .filter(({ page }) => !page?.startsWith('/_') && page !== '/api/[...path]')
    .map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}
