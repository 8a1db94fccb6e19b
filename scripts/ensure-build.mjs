// Builds the product unless it was built from this source.
import './command-line/broken-pipe.mjs'
import { ensureBuild } from './build/ensure.mjs'

await ensureBuild()
