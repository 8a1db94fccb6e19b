import {
  chmodSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

/** A folder that exists stays as it is: others may share it on purpose. One that root makes gets the owner of the folder around it. */
export function makePrivateFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined || !isRoot()) return
  const { uid, gid } = statSync(dirname(first))
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    attempt(() => lchownSync(made, uid, gid))
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
  attempt(() => closeSync(openNewPrivate(path)))
}

/**
 * Creates a file that only its owner can read. When root runs a command, that is the owner of `like`, or of the folder if
 * `like` is missing: a server with a user of its own could not open a file of root's. SQLite gives its -wal and -shm the
 * owner of the database.
 *
 * @returns its descriptor
 * @throws if the file exists, also as a link
 */
export function openNewPrivate(path: string, like = path): number {
  const owner = statSync(existsSync(like) ? like : dirname(resolve(path)))
  const descriptor = openSync(path, 'wx', 0o600)
  // By the descriptor: whoever owns the folder could put a link to another file in place of the name.
  if (isRoot()) attempt(() => fchownSync(descriptor, owner.uid, owner.gid))
  return descriptor
}

const isRoot = () => process.getuid?.() === 0

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // Whoever opens the file next reports why that fails.
  }
}

/** Makes a file and its name last through a power cut. */
export function makeDurable(path: string): void {
  flush(path, 'r+')
  // Windows cannot open a folder.
  if (process.platform !== 'win32') flush(dirname(resolve(path)), 'r')
}

function flush(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
