import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'playwright/test'
import { routeFaults } from '../../../scripts/build/route-faults.mjs'
import { routeHandlers } from '../../../scripts/build/route-handlers.mjs'
import { temporaryFolder } from '../../support/temporary-folder'

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

/** A route file of ours that answers `operation` of the real table. */
const ours = (operation: string, method = 'POST') =>
  `import { route } from '@/lib/http/route'\nexport const ${method} = route('${operation}', async () => undefined)\n`

test("the build takes a handler for each row, two on one path, and leaves a fork's own route files to Next", async () => {
  const table = [row('POST', '/api/signin'), row('GET', '/api/health'), row('POST', '/api/health')]
  const files = {
    'app/api/signin/route.ts': ours('POST /api/signin'),
    'app/api/health/route.ts':
      "import { resource } from '@/lib/http/route'\nexport const GET = resource('GET /api/health', () => new Response())\nexport const POST = Object.assign(() => new Response(), { operation: 'POST /api/health' })\n",
    'app/api/fork/route.ts': "console.log('connecting')\nexport const GET = () => new Response()\n",
    'app/api/only-in-next/route.ts': "import { headers } from 'next/headers'\nexport const GET = () => headers()\n",
  }
  expect(await faultsOf(table, files)).toEqual([])
})

test('the build fails for a row without its handler, and for a handler of ours without its row', async () => {
  const table = ['signin', 'signup', 'signout', 'i'].map((name) => row('POST', `/api/${name}`))
  const files = {
    'app/api/signup/route.ts': ours('POST /api/signin'),
    'app/api/signout/route.ts': 'export const POST = () => new Response()\n',
    'app/api/i/route.ts': ours('POST /api/i', 'GET'),
    'app/api/other/route.ts': ours('POST /api/token'),
    'app/api/unknown/route.ts': ours('POST /api/unknown'),
  }
  expect((await faultsOf(table, files)).sort()).toEqual([
    'app/api/i/route.ts answers GET /api/i as POST /api/i, but lib/api/endpoints.ts does not list it.',
    "app/api/i/route.ts must export POST = route('POST /api/i', ...) or resource(...).",
    'app/api/other/route.ts answers POST /api/other as POST /api/token, but lib/api/endpoints.ts does not list it.',
    "app/api/signout/route.ts must export POST = route('POST /api/signout', ...) or resource(...).",
    "app/api/signup/route.ts must export POST = route('POST /api/signup', ...) or resource(...), not that of POST /api/signin.",
    'app/api/unknown/route.ts cannot be loaded: lib/api/endpoints.ts does not list POST /api/unknown.',
    'lib/api/endpoints.ts lists POST /api/signin, but there is no app/api/signin/route.ts.',
  ])
})

test('a path with two methods has a handler for each, and GET answers HEAD as well', async () => {
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
  const answers = ['GET', 'HEAD', 'POST'].map((method) => handlers['/a']({ method }))
  expect([...answers, handlers['/b']({ method: 'POST' })]).toEqual([
    'GET ./app/a/route',
    'GET ./app/a/route',
    'POST ./app/a/route',
    'POST ./app/b/route',
  ])
})
