import { join } from 'node:path'
import { singleton } from './singleton'

/** Where Next runs by itself, on Vercel and in `npm run dev`, that is the working directory. */
const folder = () => singleton('own-folder', () => ({ path: process.cwd() }))

/** Called by programs first: installed as a package, Latchkey runs in the folder of an app, whose files are not ours. */
export function declareOwnFolder(path: string): void {
  folder().path = path
}

/** The absolute path of a file or folder that Latchkey came with. */
export const ownFile = (...names: string[]): string => join(folder().path, ...names)
