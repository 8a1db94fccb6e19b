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
import { dirname, join, resolve } from 'node:path'
import { singleton } from './singleton'

/**
 * Makes a folder that only its owner can open, and as root gives it to the owner of the folder around it. Leaves an existing
 * folder as it is, since others may share it on purpose.
 */
export function makePrivateFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined || !isRoot()) return
  const { uid, gid } = statSync(dirname(first))
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    attempt(() => lchownSync(made, uid, gid))
}

/**
 * Hides secrets and password hashes from other users of the machine. Leaves a file that is missing, belongs to somebody else or
 * is on a file system without modes; `npm run doctor` looks at its folder.
 */
export function makePrivate(path: string): void {
  attempt(() => chmodSync(path, 0o600))
}

/**
 * Creates a file that only its owner can read. Does not even open an existing one: closing a database that this process also has
 * open elsewhere would release SQLite's locks on it.
 */
export function createPrivate(path: string): void {
  attempt(() => closeSync(openNewPrivate(path)))
}

/**
 * Creates a file that only its owner can read. As root, gives it to the owner of `like`, or of the folder if `like` is missing:
 * a server with a user of its own could not open root's file. SQLite gives its -wal and -shm the owner of the database.
 *
 * @returns its descriptor
 * @throws if the file exists, also as a link
 */
export function openNewPrivate(path: string, like = path): number {
  const owner = statSync(existsSync(like) ? like : dirname(resolve(path)))
  const descriptor = openSync(path, 'wx', 0o600)
  // Uses the descriptor, because the folder's owner could replace the name by a link to another file.
  if (isRoot()) attempt(() => fchownSync(descriptor, owner.uid, owner.gid))
  return descriptor
}

const isRoot = () => process.getuid?.() === 0

function attempt(change: () => void): void {
  try {
    change()
  } catch {
    // The next one to open the file reports why that fails.
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

/** Where Next runs by itself, on Vercel and in `npm run dev`, that is the working directory. */
const folder = () => singleton('own-folder', () => ({ path: process.cwd() }))

/** Called by programs first: installed as a package, Latchkey runs in the folder of an app, whose files are not ours. */
export function declareOwnFolder(path: string): void {
  folder().path = path
}

/** Makes the absolute path of a file or folder that Latchkey came with. */
export const ownFile = (...names: string[]): string => join(folder().path, ...names)
