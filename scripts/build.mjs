// `npm run build`
import './programs/broken-pipe.mjs'
import { buildProduct } from './build/build-product.mjs'

await buildProduct()
