import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { databaseFile, isEmbedded } from '@/lib/settings/database-url'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

/** The folder that contains the embedded database and its secret; the files themselves are 0600. Windows has no modes. */
export function checkFiles({ databaseUrl }: Settings): Finding[] {
  if (!isEmbedded(databaseUrl) || process.platform === 'win32') return []
  const folder = dirname(databaseFile(databaseUrl))
  if ((statSync(folder).mode & 0o011) === 0) return [ok(`only its owner can enter ${folder}`)]
  return [
    warn(
      `other users of this machine can enter ${folder}, which contains the database and the secret; unless they should, run: chmod 700 ${folder}`,
    ),
  ]
}
