// Builds what Node runs unless it was built from this source.
import './command-line/broken-pipe.mjs'
import { ensureServer } from './build/ensure.mjs'

await ensureServer()
