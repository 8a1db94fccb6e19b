// Builds what is missing or was built from another source.
import { existsSync, readFileSync } from 'node:fs'
import { serverStampFile, sourceDigest, stampFile } from './build/source-digest.mjs'

const digest = sourceDigest()
const isBuilt = (/** @type {string} */ stamp) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
if (!isBuilt(stampFile)) await import('./build.mjs')
else if (!isBuilt(serverStampFile)) await import('./build-node.mjs')
