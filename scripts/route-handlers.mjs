import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What tells a route file of ours from a fork's own: it calls `route` or `resource` with its path in the table. */
const ownCall = /\b(?:route|resource)\(\s*['"](.+?)['"]/

/** @param {string} path */
const fileOf = (path) => `app${path}/route.ts`

/** @param {string} root @returns every route file, ours and a fork's, below `app` */
const routeFiles = (root) =>
  readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('/route.ts'))

/**
 * Compares the table of endpoints with the route files.
 *
 * @param {string[]} paths of the table
 * @param {string} [root] of the source
 * @returns {string[]} a sentence for every row without a file of ours, and for every file of ours without a row
 */
export function routeFaults(paths, root = '.') {
  const missing = paths.filter((path) => !existsSync(join(root, fileOf(path))))
  const claims = routeFiles(root).map((file) => ({
    file: `app/${file}`,
    path: `/${dirname(file)}`,
    claimed: ownCall.exec(readFileSync(join(root, 'app', file), 'utf8'))?.[1],
  }))
  return [
    ...missing.map((path) => `lib/api/endpoints.ts lists ${path}, but there is no ${fileOf(path)}.`),
    ...claims.flatMap(({ file, path, claimed }) => {
      const isListed = paths.includes(path)
      if (claimed === undefined)
        return isListed ? `${file} must export route('${path}', ...) or resource('${path}', ...).` : []
      if (claimed !== path) return `${file} answers ${path}, but declares ${claimed}.`
      return isListed ? [] : `${file} declares ${path}, which lib/api/endpoints.ts does not list.`
    }),
  ]
}

/**
 * The module `latchkey:handlers`, which server.ts imports: the handler of every endpoint in the table, and of preflights
 * where pages of other origins may call it. A route file that does not export them fails the build.
 *
 * @param {Record<string, { method: string, crossOrigin?: true }>} endpoints
 * @returns {import('esbuild').Plugin}
 */
export function routeHandlers(endpoints) {
  const rows = Object.entries(endpoints)
  /** @param {string} prefix @param {typeof rows} some */
  const table = (prefix, some) => `{ ${some.map((row) => `'${row[0]}': ${prefix}${rows.indexOf(row)}`).join(', ')} }`
  const contents = [
    ...rows.map(([path, { method, crossOrigin }], index) => {
      const names = `${method} as h${index}${crossOrigin ? `, OPTIONS as p${index}` : ''}`
      return `import { ${names} } from './app${path}/route'`
    }),
    `export const handlers = ${table('h', rows)}`,
    `export const preflights = ${table(
      'p',
      rows.filter(([, { crossOrigin }]) => crossOrigin),
    )}`,
  ].join('\n')
  return {
    name: 'route-handlers',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^latchkey:handlers$/ }, ({ path }) => ({ path, namespace: 'latchkey' }))
      onLoad({ filter: /.*/, namespace: 'latchkey' }, () => ({ contents, resolveDir: process.cwd() }))
    },
  }
}
