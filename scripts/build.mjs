// `npm run build`
import './programs/broken-pipe.mjs'
import { buildProduct } from './build/build-product.mjs'
import { readOptions } from './programs/read-options.mjs'

readOptions('npm run build --', 'Builds the product: the database clients, the server and the pages.')
await buildProduct()
