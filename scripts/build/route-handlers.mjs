/** @typedef {{ method: string, path: string, origin?: string, caller?: string }} Row */

/**
 * The module `latchkey:handlers`, which server.ts imports: by path, the handler of its operations, and of preflights
 * where pages of other origins send them. A route file that does not export them fails the build.
 *
 * @param {readonly Row[]} rows
 * @returns {import('esbuild').Plugin}
 */
export function routeHandlers(rows) {
  const contents = moduleSource(rows)
  return {
    name: 'route-handlers',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^latchkey:handlers$/ }, ({ path }) => ({ path, namespace: 'latchkey' }))
      onLoad({ filter: /.*/, namespace: 'latchkey' }, () => ({ contents, resolveDir: process.cwd() }))
    },
  }
}

/** @param {readonly Row[]} rows */
function moduleSource(rows) {
  const paths = [...new Set(rows.map(({ path }) => path))]
  const withPreflight = paths.filter((path) => rows.some((row) => row.path === path && takesPreflight(row)))
  /** @param {string} path */
  const handlerOf = (path) => {
    const methods = rows.flatMap((row, index) => (row.path === path ? [{ method: row.method, name: `h${index}` }] : []))
    const [only, ...others] = methods
    if (only && others.length === 0) return only.name
    return `byMethod({ ${methods.map(({ method, name }) => `${method}: ${name}`)} })`
  }
  return [
    ...rows.map(({ method, path }, index) => `import { ${method} as h${index} } from './app${path}/route'`),
    ...withPreflight.map((path, index) => `import { OPTIONS as p${index} } from './app${path}/route'`),
    'const byMethod = (handlers) => (request) => (handlers[request.method] ?? handlers.GET)(request)',
    `export const handlers = { ${paths.map((path) => `'${path}': ${handlerOf(path)}`)} }`,
    `export const preflights = { ${withPreflight.map((path, index) => `'${path}': p${index}`)} }`,
  ].join('\n')
}

/** Whether pages of other origins may call it with credentials, for which browsers send a preflight. @param {Row} row */
const takesPreflight = ({ origin, caller }) =>
  origin === 'listed' || (origin === 'any' && (caller ?? 'anyone') !== 'anyone')
