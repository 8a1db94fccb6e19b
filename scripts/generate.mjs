// `npm run generate`: the Prisma clients of the present schemas, and the list of route files that server.ts answers.
import { generateClients, generateHandlers } from './build/generate.mjs'
import { readOptions } from './support/command-line.mjs'

readOptions('npm run generate --', 'Generates the Prisma clients and the list of route files.')
await generateClients()
await generateHandlers()
