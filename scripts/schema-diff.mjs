import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

/** The bindings keep the memory of one instance, so there is one a process. @type {ReturnType<typeof loadEngine> | undefined} */
let engine

/**
 * The SQL that takes a live database to a Prisma schema, by Prisma's own schema engine running in this process (the
 * usual one is a binary that is downloaded). Prints "-- This is an empty migration." where there is nothing to do.
 *
 * @param {import('@prisma/driver-adapter-utils').SqlMigrationAwareDriverAdapterFactory} factory leads to the database
 * @param {string} schemaPath for example prisma/sqlite/schema.prisma
 * @param {'database' | 'nothing'} from what to start from: the live database, or an empty one
 * @returns {Promise<string>}
 */
export async function schemaDiff(factory, schemaPath, from = 'database') {
  engine ??= loadEngine()
  const { SchemaEngine } = await engine
  const file = { path: schemaPath, content: await readFile(schemaPath, 'utf8') }
  const session = await SchemaEngine.new(
    { datamodels: [[file.path, file.content]] },
    console.error,
    bindMigrationAwareSqlAdapterFactory(factory),
  )
  const { stdout } = await session.diff({
    from:
      from === 'nothing'
        ? { tag: 'empty' }
        : { tag: 'schemaDatasource', files: [file], configDir: dirname(schemaPath) },
    to: { tag: 'schemaDatamodel', files: [file] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  return stdout ?? ''
}

/** The package imports its .wasm as a module, which Node does not do without a flag, so it is put together by hand. */
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
