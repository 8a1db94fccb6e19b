import { readdirSync } from 'node:fs'
import { singleton } from '@/lib/process/singleton'

export const isExistingFile = (path: string) => files().has(path)

const files = () =>
  singleton('files', () => new Set([...listFiles('public', ''), ...listFiles('.next/static', '/_next/static')]))

/** Empty without the folder: pages may not be built. */
function listFiles(folder: string, prefix: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    // Windows separates folders by backslashes.
    const under = (parentPath: string) => parentPath.slice(folder.length).replaceAll('\\', '/')
    return entries.map(({ parentPath, name }) => `${prefix}${under(parentPath)}/${name}`)
  } catch {
    return []
  }
}
