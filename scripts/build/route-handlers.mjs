/** @typedef {{ path: string }} Row */

/**
 * The module `latchkey:handlers`, which server.ts imports: by path, what its route file exports.
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
  return [
    ...paths.map((path, index) => `import * as h${index} from './app${path}/route'`),
    `export const handlers = { ${paths.map((path, index) => `'${path}': { ...h${index} }`)} }`,
  ].join('\n')
}
