// Builds what Node runs unless it was built from this source. A server that runs from this folder keeps its files then.
import { isBuilt, serverStampFile } from './build/source-digest.mjs'

if (!isBuilt(serverStampFile)) {
  await import('./generate.mjs')
  await import('./build-node.mjs')
}
