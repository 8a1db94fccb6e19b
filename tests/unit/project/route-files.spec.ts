import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'playwright/test'
import { routeFaults } from '../../../scripts/build/route-faults.mjs'
import { routeHandlers } from '../../../scripts/build/route-handlers.mjs'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const row = (method: string, path: string) => ({ method, path })

/** What the build says of these route files and this table. */
function faultsOf(table: ReturnType<typeof row>[], files: Record<string, string>): Promise<string[]> {
  const folder = temporaryFolder('routes')
  for (const [path, code] of Object.entries({ 'app/page.tsx': '', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  return routeFaults(table, folder)
}

/** A route file of ours that exports what `everyMethod()` makes of the handlers of these operations. */
const ours = (...operations: string[]) =>
  `import { everyMethod } from '@/lib/http/every-method'
import { route } from '@/lib/http/route'
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  ${operations.map((operation) => `route('${operation}', async () => undefined)`)},
)
`

/** A route file of ours that exports one handler alone. */
const alone = (operation: string, method = 'POST') =>
  `import { route } from '@/lib/http/route'\nexport const ${method} = route('${operation}', async () => undefined)\n`

test("the build takes a handler for each row, two on one path, and leaves a fork's own route files to Next", async () => {
  const table = [row('POST', '/api/signin'), row('GET', '/api/deliver'), row('POST', '/api/deliver')]
  const files = {
    'app/api/signin/route.ts': ours('POST /api/signin'),
    'app/api/deliver/route.ts': ours('GET /api/deliver', 'POST /api/deliver'),
    'app/api/fork/route.ts': "console.log('connecting')\nexport const GET = () => new Response()\n",
    'app/api/only-in-next/route.ts': "import { headers } from 'next/headers'\nexport const GET = () => headers()\n",
  }
  expect(await faultsOf(table, files)).toEqual([])
})

test('the build fails for a row without its handler, for a handler of ours without its row, and for a method without any', async () => {
  const table = ['signin', 'signup', 'signout', 'i', 'token'].map((name) => row('POST', `/api/${name}`))
  const files = {
    'app/api/signup/route.ts': ours('POST /api/signin'),
    'app/api/signout/route.ts': 'export const POST = () => new Response()\n',
    'app/api/i/route.ts': alone('POST /api/i', 'GET'),
    'app/api/token/route.ts': alone('POST /api/token'),
    'app/api/other/route.ts': ours('POST /api/token'),
    'app/api/unknown/route.ts': alone('POST /api/unknown'),
  }
  const given = (name: string) => `everyMethod(route('POST /api/${name}', ...)), or with resource(...)`
  expect((await faultsOf(table, files)).sort()).toEqual([
    'app/api/i/route.ts answers GET /api/i as POST /api/i, but lib/api/endpoints.ts does not list it.',
    `app/api/i/route.ts must export POST of ${given('i')}.`,
    'app/api/other/route.ts answers POST /api/other as POST /api/token, but lib/api/endpoints.ts does not list it.',
    `app/api/signout/route.ts must export POST of ${given('signout')}.`,
    `app/api/signup/route.ts must export POST of ${given('signup')}, not that of POST /api/signin.`,
    'app/api/token/route.ts must export GET, HEAD, PUT, PATCH, DELETE, OPTIONS of everyMethod(...), too.',
    'app/api/unknown/route.ts cannot be loaded: lib/api/endpoints.ts does not list POST /api/unknown.',
    'lib/api/endpoints.ts lists POST /api/signin, but there is no app/api/signin/route.ts.',
  ])
})

test('the server has what the route file of each path exports, by method', async () => {
  const folder = temporaryFolder('handlers')
  const plugin = routeHandlers([row('GET', '/a'), row('POST', '/a'), row('POST', '/b')])
  const files = {
    name: 'files',
    setup({ onResolve, onLoad }: import('esbuild').PluginBuild) {
      onResolve({ filter: /^\.\/app\// }, ({ path }) => ({ path, namespace: 'files' }))
      const contents = (path: string) =>
        `export const GET = () => 'GET ${path}'; export const POST = () => 'POST ${path}'`
      onLoad({ filter: /.*/, namespace: 'files' }, ({ path }) => ({ contents: contents(path) }))
    },
  }
  const outfile = join(folder, 'handlers.mjs')
  await build({ entryPoints: ['latchkey:handlers'], outfile, bundle: true, format: 'esm', plugins: [plugin, files] })
  const { handlers } = await import(outfile)
  expect([handlers['/a'].GET(), handlers['/a'].POST(), handlers['/b'].POST()]).toEqual([
    'GET ./app/a/route',
    'POST ./app/a/route',
    'POST ./app/b/route',
  ])
})
