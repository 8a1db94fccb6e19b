import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'playwright/test'
import { routeFaults } from '../../scripts/route-handlers.mjs'

/** What the build says of these route files and a table with `/api/a` alone. */
function faultsOf(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-routes-'))
  for (const [path, code] of Object.entries({ 'app/page.tsx': '', ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  return routeFaults(['/api/a'], folder)
}

const ours = (path: string) => `export const POST = route('${path}', () => undefined)\n`

test("the build takes a route file for every listed endpoint, and leaves a fork's own route files to Next", () => {
  const fork = 'export const GET = () => new Response()\n'
  expect(faultsOf({ 'app/api/a/route.ts': ours('/api/a'), 'app/api/fork/route.ts': fork })).toEqual([])
})

test('the build fails for a listed endpoint without a route file', () => {
  expect(faultsOf({})).toEqual(['lib/api/endpoints.ts lists /api/a, but there is no app/api/a/route.ts.'])
})

test('the build fails for a route file of ours that is not listed', () => {
  const files = { 'app/api/a/route.ts': ours('/api/a'), 'app/api/b/route.ts': ours('/api/b') }
  expect(faultsOf(files)).toEqual(['app/api/b/route.ts declares /api/b, which lib/api/endpoints.ts does not list.'])
})

test('the build fails for a route file that declares another path than its own, or none', () => {
  expect(faultsOf({ 'app/api/a/route.ts': ours('/api/c') })).toEqual([
    'app/api/a/route.ts answers /api/a, but declares /api/c.',
  ])
  expect(faultsOf({ 'app/api/a/route.ts': 'export const POST = () => new Response()\n' })).toEqual([
    "app/api/a/route.ts must export route('/api/a', ...) or resource('/api/a', ...).",
  ])
})
