import { methodsByPath, type Path } from '@/lib/api/endpoints'

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** Next would answer 400. */
export const isMalformedApiPath = (path: string) => path.startsWith('/api/') && decodePath(path) === undefined
