import { resolve } from 'node:path'

/** The path of the embedded database that a `file:` URL names, seen from the working directory; null for other URLs. */
export function databaseFile(databaseUrl: string): string | null {
  return databaseUrl.startsWith('file:') ? resolve(databaseUrl.slice('file:'.length)) : null
}
