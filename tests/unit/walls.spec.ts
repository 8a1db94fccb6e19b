import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'playwright/test'

const imports = (module: string) => `import { x } from '${module}'\nexport const y = x\n`
const importsType = (module: string) => `import type { x } from '${module}'\nexport type y = x\n`
const transaction = (argument: string) => `export const x = (c) => c.$transaction(${argument})\n`

/** Code that breaks a wall, by the file it would stand in, and the rule that must say so (null: it is allowed). */
const plantings: [path: string, code: string, rule: string | null][] = [
  ['lib/api/a.ts', imports('@/lib/process/log'), 'noRestrictedImports'],
  ['lib/api/b.ts', imports('../settings/settings'), 'noRestrictedImports'],
  ['lib/api/c.ts', imports('zod'), null],
  ['lib/api/errors.ts', imports('zod'), 'noRestrictedImports'],
  ['lib/api/limits.ts', imports('./errors'), 'noRestrictedImports'],
  ['lib/messages/a.ts', imports('@/lib/settings/settings'), 'noRestrictedImports'],
  ['lib/messages/b.ts', imports('@/lib/api/errors'), null],
  ['lib/process/a.ts', imports('@/lib/settings/settings'), 'noRestrictedImports'],
  ['lib/process/b.ts', imports('./singleton'), null],
  ['lib/settings/a.ts', imports('@/lib/database/client'), 'noRestrictedImports'],
  ['lib/settings/b.ts', imports('@/lib/process/singleton'), null],
  ['lib/database/a.ts', imports('@/lib/rate-limit/limiter'), 'noRestrictedImports'],
  ['lib/database/b.ts', imports('../auth/tokens'), 'noRestrictedImports'],
  ['lib/database/c.ts', imports('../lifecycle'), 'noRestrictedImports'],
  ['lib/database/d.ts', imports('@/lib/settings/settings'), null],
  ['lib/rate-limit/a.ts', imports('@/lib/auth/tokens'), 'noRestrictedImports'],
  ['lib/rate-limit/b.ts', imports('@/lib/lifecycle'), 'noRestrictedImports'],
  ['lib/rate-limit/c.ts', imports('@/lib/database/client'), null],
  ['lib/auth/a.ts', imports('@/lib/http/route'), 'noRestrictedImports'],
  ['lib/auth/b.ts', imports('next/headers'), 'noRestrictedImports'],
  ['lib/auth/c.ts', imports('@/lib/a-new-room/a'), 'noRestrictedImports'],
  ['lib/auth/passkeys/a.ts', imports('../../http/route'), 'noRestrictedImports'],
  ['lib/auth/passkeys/b.ts', imports('../sessions'), null],
  ['lib/auth/h.ts', imports('@/lib/messages/en'), 'noRestrictedImports'],
  ['lib/auth/e.ts', imports('@/lib/rate-limit/limiter'), null],
  ['lib/auth/f.ts', imports('./passkeys/store'), 'noRestrictedImports'],
  ['lib/auth/g.ts', imports('@/lib/auth/passkeys/store'), 'noRestrictedImports'],
  ['lib/auth/passkeys/c.ts', imports('./store'), null],
  ['lib/auth/i.ts', imports('./operator/sign-out'), 'noRestrictedImports'],
  ['lib/auth/j.ts', imports('@/lib/auth/operator/sign-out'), 'noRestrictedImports'],
  ['lib/auth/operator/a.ts', imports('../sessions'), null],
  ['lib/auth/operator/b.ts', imports('../../http/route'), 'noRestrictedImports'],
  ['lib/auth/operator/c.ts', imports('@/lib/messages/en'), 'noRestrictedImports'],
  ['lib/http/e.ts', imports('@/lib/auth/operator/sign-out'), 'noRestrictedImports'],
  ['app/api/d/route.ts', imports('@/lib/auth/operator/sign-out'), 'noRestrictedImports'],
  ['lib/http/a.ts', imports('next/server'), 'noRestrictedImports'],
  ['lib/http/b.ts', imports('@/components/ui/button'), 'noRestrictedImports'],
  ['lib/http/c.ts', imports('@/lib/lifecycle'), 'noRestrictedImports'],
  ['lib/http/remote-backend/a.ts', imports('../client-address'), null],
  ['lib/http/d.ts', imports('@/lib/auth/sessions'), null],
  ['lib/telemetry/a.ts', imports('@/lib/http/route'), 'noRestrictedImports'],
  ['lib/telemetry/b.ts', imports('@/lib/auth/hash-queue'), null],
  ['lib/auth/i.ts', imports('@/lib/telemetry/start'), 'noRestrictedImports'],
  ['lib/http/e.ts', imports('@/lib/telemetry/start'), 'noRestrictedImports'],
  ['lib/lifecycle.ts', imports('@/lib/http/route'), 'noRestrictedImports'],
  ['lib/browser/a.ts', imports('@/lib/settings/settings'), 'noRestrictedImports'],
  ['lib/browser/b.ts', imports('zod'), 'noRestrictedImports'],
  ['lib/browser/c.ts', imports('@/lib/api/schemas'), 'zod costs a page 34 kB'],
  ['lib/browser/d.ts', importsType('@/lib/api/schemas'), null],
  ['lib/browser/e.ts', `import { type x } from '@/lib/api/endpoints'\nexport type y = x\n`, 'zod costs a page 34 kB'],
  ['lib/browser/f.ts', imports('@/lib/api/errors'), null],
  ['lib/browser/g.ts', imports('@/lib/messages/en'), 'it gets its words from the page'],
  ['lib/browser/h.ts', importsType('@/lib/messages/en'), null],
  ['components/ui/e.tsx', imports('@/lib/messages/catalogues'), 'it gets its words from the page'],
  ['components/ui/f.tsx', imports('@/lib/messages/format'), null],
  ['lib/auth/k.ts', imports('@/lib/messages/catalogues'), 'noRestrictedImports'],
  ['components/ui/d.tsx', imports('@/lib/api/openapi'), 'zod costs a page 34 kB'],
  ['components/account/d.tsx', `export { x } from '@/lib/api/schemas'\n`, 'zod costs a page 34 kB'],
  ['components/account/e.tsx', importsType('@/lib/api/endpoints'), null],
  ['components/account/f.tsx', imports('@/lib/api/limits'), null],
  ['lib/browser/passkeys/a.ts', imports('../post'), null],
  ['components/a.tsx', imports('@/lib/auth/sessions'), 'noRestrictedImports'],
  ['components/ui/a.tsx', imports('@/components/account/setting'), 'noRestrictedImports'],
  ['components/ui/b.tsx', imports('@/lib/browser/account'), 'noRestrictedImports'],
  ['components/ui/c.tsx', imports('@/components/ui/icons'), null],
  ['components/auth/a.tsx', imports('@/components/account/setting'), 'noRestrictedImports'],
  ['components/auth/b.tsx', imports('@simplewebauthn/browser'), 'noRestrictedImports'],
  ['components/auth/c.tsx', imports('@/lib/browser/sign-in'), null],
  ['components/account/a.tsx', imports('@/components/passkeys/passkey-card'), 'noRestrictedImports'],
  ['components/account/b.tsx', imports('@/lib/auth/sessions'), 'noRestrictedImports'],
  ['components/account/c.tsx', imports('@/components/auth/use-passkey-support'), null],
  ['components/passkeys/a.tsx', imports('../../lib/auth/sessions'), 'noRestrictedImports'],
  ['components/passkeys/b.tsx', imports('@/components/account/setting'), null],
  ['app/api/a/route.ts', imports('next/server'), 'noRestrictedImports'],
  ['app/api/b/route.ts', imports('@/lib/database/client'), 'noRestrictedImports'],
  ['app/api/c/route.ts', imports('@/lib/http/route'), null],
  ['app/a/page.tsx', imports('@/lib/database/client'), 'noRestrictedImports'],
  ['app/b/page.tsx', imports('@/lib/auth/sessions'), 'noRestrictedImports'],
  ['app/c/page.tsx', imports('@/lib/http/page-data'), null],
  ['proxy.ts', imports('@/lib/database/client'), 'noRestrictedImports'],
  ['server.ts', imports('@/lib/browser/post'), 'noRestrictedImports'],
  ['lib/process/c.ts', `import type { b } from './d'\nexport type a = b\n`, 'noImportCycles'],
  ['lib/process/d.ts', `import type { a } from './c'\nexport type b = a\n`, 'noImportCycles'],
  ['lib/process/e.ts', `import type { a } from './c'\nexport type c = a\n`, null],
  ['lib/auth/d.ts', 'export const x = process.env.X\n', 'noProcessEnv'],
  ['lib/database/e.ts', transaction('async (t) => { await t.user.create({}) }'), 'No interactive transactions'],
  ['lib/database/f.ts', transaction('(t) => t.user.create({}), { timeout: 1 }'), 'No interactive transactions'],
  ['lib/database/g.ts', transaction('[c.user.create({}), c.user.delete({})]'), null],
]

type Config = { plugins?: string[]; overrides?: Config[] }
const pluginsOf = ({ plugins = [], overrides = [] }: Config): string[] => [...plugins, ...overrides.flatMap(pluginsOf)]

test('the linter refuses planted violations of the walls and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-walls-'))
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }))
  for (const plugin of pluginsOf(config)) cpSync(plugin, join(folder, plugin))
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

const routes = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('route.ts'))

test('no route file is longer than six lines', () => {
  const long = routes.filter((path) => readFileSync(`app/${path}`, 'utf8').trim().split('\n').length > 6)
  expect(long).toEqual([])
})
