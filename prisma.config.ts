import { defineConfig } from 'prisma/config'

// Generating needs no schema engine; with any executable in its place the CLI downloads none.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({ schema: 'prisma/schema.prisma' })
