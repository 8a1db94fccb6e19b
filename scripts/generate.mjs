// `npm run generate`: the Prisma clients of the present schemas.
import './programs/broken-pipe.mjs'
import { generateClients } from './build/generate-clients.mjs'

await generateClients()
