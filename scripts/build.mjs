// `npm run build`
import { buildProduct } from './build/build-product.mjs'
import { readOptions } from './support/command-line.mjs'

readOptions('npm run build --', 'Builds the product: the database clients, the server and the pages.')
await buildProduct()
