import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

const path = 'prisma/schema.prisma'

/** One per process, because the bindings keep a single instance's memory. @type {ReturnType<typeof loadEngine> | undefined} */
let engine

/**
 * The SQL that migrates a live database to a Prisma schema, or "-- This is an empty migration." Runs Prisma's schema engine
 * as WebAssembly in this process; the Prisma CLI would download a binary.
 *
 * @param {import('@prisma/driver-adapter-utils').SqlMigrationAwareDriverAdapterFactory} factory connects to the database
 * @param {'sqlite' | 'postgresql'} provider
 * @param {'database' | 'nothing'} from the starting point: the live database or an empty one
 * @returns {Promise<string>}
 */
export async function schemaDiff(factory, provider, from = 'database') {
  engine ??= loadEngine()
  const { SchemaEngine } = await engine
  const schema = await readFile(path, 'utf8')
  const file = { path, content: schema.replace('provider = "sqlite"', `provider = "${provider}"`) }
  const session = await SchemaEngine.new(
    { datamodels: [[file.path, file.content]] },
    console.error,
    bindMigrationAwareSqlAdapterFactory(factory),
  )
  const { stdout } = await session.diff({
    from: from === 'nothing' ? { tag: 'empty' } : { tag: 'schemaDatasource', files: [file], configDir: dirname(path) },
    to: { tag: 'schemaDatamodel', files: [file] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ''
}

/** Instantiated by hand, because Node imports a .wasm file as a module only with a flag. */
async function loadEngine() {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'))
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = await readFile(join(folder, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': { ...bindings } })
  const exports = /** @type {{ __wbindgen_start: () => void }} */ (/** @type {unknown} */ (instance.exports))
  bindings.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  return bindings
}
