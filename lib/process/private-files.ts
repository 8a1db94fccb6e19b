import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'

/** A folder that exists stays as it is: others may share it on purpose. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/**
 * Secrets and password hashes must not be open to every user of the machine. A file that is missing, belongs to somebody else
 * or is on a file system without modes stays as it is; `npm run doctor` looks at its folder.
 */
export function makePrivate(path: string): void {
  attempt(() => chmodSync(path, 0o600))
}

/**
 * An existing file is not even opened: closing a database that this process also has open elsewhere would release SQLite's
 * locks on it.
 */
export function createPrivate(path: string): void {
  attempt(() => closeSync(openSync(path, 'wx', 0o600)))
}

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // Whoever opens the file next reports why that fails.
  }
}
