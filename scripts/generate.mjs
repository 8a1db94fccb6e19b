// `npm run generate`: the Prisma clients of the present schemas.
import './command-line/broken-pipe.mjs'
import { generateClients } from './build/generate-clients.mjs'
import { readOptions } from './command-line/read-options.mjs'

readOptions('npm run generate --', 'Generates the Prisma clients of the present schemas.')
await generateClients()
