import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Where a build notes its source. */
export const productStamp = 'build/source-digest'

/** Where a bundle of what Node runs notes its source: `npm run test:api` builds it without the pages. */
export const serverStamp = 'build/server-digest'

/** `latchkey dev` signs in with the kit's passkey in software. */
const ofKit = 'packages/kit/src/testing/passkey.ts'

const sources = ['app', 'components', 'lib', 'prisma', 'public', 'scripts', ofKit, 'package-lock.json', 'tsconfig.json']
const rootFile = /\.(ts|mjs)$/
const generated = join('lib', 'database', 'generated')

/** A digest of the name and content of every source file. What is built from them runs on every supported Node. */
export function sourceDigest() {
  const hash = createHash('sha256')
  const rootFiles = readdirSync('.').filter((name) => rootFile.test(name) && name !== 'next-env.d.ts')
  // A fork may have no `public`, and no kit.
  const roots = [...sources.filter((path) => !['public', ofKit].includes(path) || existsSync(path)), ...rootFiles]
  for (const file of roots.flatMap(filesUnder).sort()) hash.update(`\0${file}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
  if (path === generated) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)))
}

/** Whether a build notes the present source. @param {string} stamp */
export const isBuilt = (stamp, digest = sourceDigest()) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
