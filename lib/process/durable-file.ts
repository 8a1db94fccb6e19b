import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

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
