// Generates Prisma's client for each database: one build serves both.
import { run } from './run.mjs'

for (const provider of ['sqlite', 'postgresql'])
  run('prisma', 'generate', '--schema', `prisma/${provider}/schema.prisma`)
