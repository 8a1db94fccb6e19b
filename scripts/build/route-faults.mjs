import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { build } from 'esbuild'

/** @typedef {{ method: string, path: string }} Row */
/** @typedef {{ handlers: Record<string, string | null>, error?: string }} Loaded what each export says that it answers, if it does */

/** Those that Next has a route file answer. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** @param {Row} row */
const fileOf = ({ path }) => `app${path}/route.ts`

/** @param {string} root @returns every route file, ours and a fork's */
const routeFiles = (root) =>
  readdirSync(`${root}/app`, { recursive: true, encoding: 'utf8' })
    .map((path) => `app/${path.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('/route.ts'))

/**
 * Loads every route file, in a process of its own: a fork's may do more than export handlers. What it imports may be found
 * only by Next.
 *
 * @param {string} root
 * @returns {Promise<Record<string, Loaded>>} by file
 */
async function loadRoutes(root) {
  // In the project, so that it finds node_modules, and of this process alone.
  const outdir = resolve(`build/routes-${process.pid}`)
  const contents = `
    import { writeFileSync } from 'node:fs'
    const files = { ${routeFiles(root).map((file) => `'${file}': () => import('./${file}')`)} }
    const operationsOf = (module) => Object.entries(module).map(([name, handler]) => [name, handler?.operation ?? null])
    const loaded = {}
    for (const [file, load] of Object.entries(files))
      loaded[file] = await load().then(
        (module) => ({ handlers: Object.fromEntries(operationsOf(module)) }),
        ({ code, message }) => ({ handlers: {}, ...(code !== 'ERR_MODULE_NOT_FOUND' && { error: message }) }),
      )
    writeFileSync(3, JSON.stringify(loaded))
    process.exit()`
  await build({
    stdin: { contents, resolveDir: resolve(root), sourcefile: 'routes.mjs' },
    tsconfig: 'tsconfig.json',
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A file that cannot be loaded leaves the others alone.
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  try {
    // On a pipe of its own: a fork's route file may print while it loads.
    const { status, output } = spawnSync(process.execPath, [`${outdir}/stdin.mjs`], {
      encoding: 'utf8',
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    })
    if (status !== 0) throw new Error('The route files cannot be loaded: the process that loads them has failed.')
    return JSON.parse(output[3] ?? '')
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

/**
 * Compares the table of endpoints with what the handlers of the route files carry.
 *
 * @param {readonly Row[]} rows
 * @param {string} [root] of the source
 * @returns {Promise<string[]>} a sentence for every row without its handler, and for every handler of ours without its row
 */
export async function routeFaults(rows, root = '.') {
  const loaded = await loadRoutes(root)
  const operations = rows.map(({ method, path }) => `${method} ${path}`)
  const unanswered = rows.flatMap((row) => {
    const operation = `${row.method} ${row.path}`
    const file = fileOf(row)
    const found = loaded[file]
    if (!found) return `lib/api/endpoints.ts lists ${operation}, but there is no ${file}.`
    const claimed = found.handlers[row.method] ?? null
    const missing = methods.filter((method) => !(method in found.handlers))
    if (found.error || (claimed === operation && missing.length === 0)) return []
    if (claimed === operation) return `${file} must export ${missing.join(', ')} of everyMethod(...), too.`
    const instead = claimed === null ? '' : `, not that of ${claimed}`
    return `${file} must export ${row.method} of everyMethod(route('${operation}', ...)), or with resource(...)${instead}.`
  })
  const unlisted = Object.entries(loaded).flatMap(([file, { handlers, error }]) => [
    ...(error ? [`${file} cannot be loaded: ${error}`] : []),
    ...Object.entries(handlers).flatMap(([name, claimed]) => {
      const answered = `${name} ${dirname(file).slice('app'.length)}`
      if (claimed === null || operations.includes(answered)) return []
      return `${file} answers ${answered} as ${claimed}, but lib/api/endpoints.ts does not list it.`
    }),
  ])
  return [...new Set([...unanswered, ...unlisted])]
}
