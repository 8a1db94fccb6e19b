import { readdirSync, readFileSync } from 'node:fs'
import { methodsByPath, type Path } from '@/lib/api/endpoints'
import { singleton } from '@/lib/process/singleton'
import { isOwnPage } from '../pages/own-pages'

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

/** Latchkey's pages and the 404 page. */
export function isRenderedByUs(path: string, hasRoute = isBuilt): boolean {
  const name = decodePath(path) ?? path
  return isOwnPage(name) || !(isBuiltAt(path, hasRoute) || isExistingFile(name))
}

/** Next finds static routes by the decoded path, and the parameters of dynamic ones in the path as it arrived. */
export const isBuiltAt = (path: string, hasRoute: typeof isBuilt) =>
  hasRoute(path) || hasRoute(decodePath(path) ?? path)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Whether the build has a page, a route file or a rewrite for the path. */
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

/** Next answers methods other than GET and HEAD on these with 500. */
export const isFile = (path: string) => path.startsWith('/_next/') || isExistingFile(path)

const isExistingFile = (path: string) => files().has(path)

const files = () =>
  singleton('files', () => new Set([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** Empty without the folder: a fork may have no `public`, and pages may not be built. */
function listFiles(folder: string, prefix: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return entries.map(({ parentPath, name }) => `${prefix}${parentPath.slice(folder.length)}/${name}`)
  } catch {
    return []
  }
}
