import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { singleton } from '@/lib/process/singleton'

export const isExistingFile = (path: string) => files().has(path)

/** In bytes. */
export const sizeOfFile = (path: string) => files().get(path)

const files = () =>
  singleton('files', () => new Map([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** Empty without the folder: pages may not be built. */
function listFiles(folder: string, prefix: string): [path: string, bytes: number][] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    // Windows separates folders by backslashes.
    const under = (parentPath: string) => parentPath.slice(folder.length).replaceAll('\\', '/')
    return entries.map(({ parentPath, name }) => [
      `${prefix}${under(parentPath)}/${name}`,
      statSync(join(parentPath, name)).size,
    ])
  } catch {
    return []
  }
}
