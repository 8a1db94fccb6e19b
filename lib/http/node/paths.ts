import { methodsByPath, type Path } from '@/lib/api/endpoints'

export const isOwnEndpoint = (path: string): path is Path => Object.hasOwn(methodsByPath, path)

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
