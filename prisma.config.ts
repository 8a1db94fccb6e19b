import { defineConfig } from 'prisma/config'

if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/sqlite/schema.prisma' })
