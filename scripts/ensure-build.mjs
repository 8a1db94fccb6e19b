// Builds what is missing or was built from another source.
import { isBuilt, serverStampFile, sourceDigest, stampFile } from './build/source-digest.mjs'

const digest = sourceDigest()
if (!isBuilt(stampFile, digest)) await import('./build.mjs')
else if (!isBuilt(serverStampFile, digest)) await import('./build-node.mjs')
