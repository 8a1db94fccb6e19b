import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'playwright/test'
import { ENDPOINTS } from '../endpoints'

const imports = (module: string) => `import { x } from '${module}'\nexport const y = x\n`
const transaction = (argument: string) => `export const x = (c) => c.$transaction(${argument})\n`

/** Code that breaks a wall, by the file it would stand in, and the rule that must say so (null: it is allowed). */
const plantings: [path: string, code: string, rule: string | null][] = [
  ['lib/error.ts', imports('zod'), 'noRestrictedImports'],
  ['lib/data/a.ts', imports('@/lib/auth/token'), 'noRestrictedImports'],
  ['lib/data/b.ts', imports('../web/route'), 'noRestrictedImports'],
  ['lib/data/c.ts', imports('./settings'), null],
  ['lib/auth/a.ts', imports('@/lib/web/route'), 'noRestrictedImports'],
  ['lib/auth/b.ts', imports('next/headers'), 'noRestrictedImports'],
  ['lib/auth/c.ts', imports('@/lib/data/settings'), null],
  ['lib/web/a.ts', imports('next/server'), 'noRestrictedImports'],
  ['lib/web/b.ts', imports('@/components/button'), 'noRestrictedImports'],
  ['lib/web/c.ts', imports('@/lib/auth/session'), null],
  ['lib/client/c.ts', imports('@/lib/data/settings'), 'noRestrictedImports'],
  ['components/a.tsx', imports('@/lib/auth/session'), 'noRestrictedImports'],
  ['components/b.tsx', imports('@simplewebauthn/browser'), 'noRestrictedImports'],
  ['components/c.tsx', imports('@/lib/client/sign-in'), null],
  ['app/api/a/route.ts', imports('next/server'), 'noRestrictedImports'],
  ['app/api/b/route.ts', imports('@/lib/data/database'), 'noRestrictedImports'],
  ['app/api/c/route.ts', imports('@/lib/web/route'), null],
  ['app/a/page.tsx', imports('@/lib/data/database'), 'noRestrictedImports'],
  ['lib/auth/d.ts', 'export const x = process.env.X\n', 'noProcessEnv'],
  ['lib/data/d.ts', transaction('async (t) => { await t.user.create({}) }'), 'No interactive transactions'],
  ['lib/data/e.ts', transaction('(t) => t.user.create({}), { timeout: 1 }'), 'No interactive transactions'],
  ['lib/data/f.ts', transaction('[c.user.create({}), c.user.delete({})]'), null],
]

test('the linter refuses planted violations of the walls and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-walls-'))
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }))
  for (const plugin of config.plugins) cpSync(plugin, join(folder, plugin))
  for (const [path, code] of plantings) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
  const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome')
  const words = [biome, 'lint', '--reporter=github', '--max-diagnostics=none']
  const { stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })
  const found = plantings.map(([path, code, rule]) => {
    const said = stdout.split('\n').filter((line) => line.includes(`file=${path},`) || line.includes(`/${path},`))
    return [path, code, rule !== null && said.some((line) => line.includes(rule)) ? rule : (said[0] ?? null)]
  })
  expect(found).toEqual(plantings)
})

const routes = readdirSync('app/api', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('route.ts'))

test('no route file is longer than twelve lines', () => {
  const long = routes.filter((path) => readFileSync(`app/api/${path}`, 'utf8').trim().split('\n').length > 12)
  expect(long).toEqual([])
})

test('server.ts answers every endpoint that there is a route file for', () => {
  const server = readFileSync('server.ts', 'utf8')
  expect(routes.filter((path) => !server.includes(`'/api/${dirname(path)}':`))).toEqual([])
})

test('the tests of what all endpoints have in common know every one of them', () => {
  const served = routes.map((path) => `/api/${dirname(path)}`).filter((path) => path !== '/api/health')
  expect(ENDPOINTS.map(({ path }) => path).sort()).toEqual(served.sort())
})
