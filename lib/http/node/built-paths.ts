import { readFileSync } from 'node:fs'
import { singleton } from '@/lib/process/singleton'

/** Whether the build has a page, a route file or a rewrite for a path: Latchkey's or a fork's. */
export const isBuilt = (path: string) => singleton('built-paths', () => pathMatcher(readManifest()))(path)

interface Row {
  regex: string
  page?: string
}

interface Manifest {
  staticRoutes: Row[]
  dynamicRoutes: Row[]
  rewrites: { beforeFiles: Row[]; afterFiles: Row[]; fallback: Row[] }
}

/** Null where no pages are built, as for a server of endpoints alone. */
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
  // Without Next's own error pages.
  const patterns = rows.filter(({ page }) => !page?.startsWith('/_')).map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}
