// Builds the product unless it was built from this source.
import './programs/broken-pipe.mjs'
import { ensureProduct } from './build/ensure.mjs'

await ensureProduct()
