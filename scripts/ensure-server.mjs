// Builds what Node runs unless it was built from this source.
import './programs/broken-pipe.mjs'
import { ensureServer } from './build/ensure.mjs'

await ensureServer()
