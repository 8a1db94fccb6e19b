// Builds what Node runs unless it was built from this source. A server that runs from this folder keeps its files then.
import { existsSync, readFileSync } from 'node:fs'
import { serverStampFile, sourceDigest } from './build/source-digest.mjs'

if (!existsSync(serverStampFile) || readFileSync(serverStampFile, 'utf8') !== sourceDigest()) {
  await import('./generate.mjs')
  await import('./build-node.mjs')
}
