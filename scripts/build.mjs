// `npm run build`
import './command-line/broken-pipe.mjs'
import { buildProduct } from './build/build-product.mjs'
import { readOptions } from './command-line/read-options.mjs'

readOptions('npm run build --', 'Builds the product: the database clients, the server and the pages.')
await buildProduct()
