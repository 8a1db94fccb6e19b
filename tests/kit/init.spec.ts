import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { expect, root, test } from './app'

const command = join(root, 'build/kit/dist/command.js')

/** A folder with these files. */
function folderWith(files: Record<string, string | object>) {
  const folder = temporaryFolder('init')
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const init = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'init', ...words], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }
  const all = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return { folder, read, init, all }
}

const express = { 'package.json': { name: '@acme/Notes', type: 'module', dependencies: { express: '^5.0.0' } } }

test('latchkey-kit init shows what it would write, and writes only after a yes', () => {
  const { init, all, read, folder } = folderWith(express)
  for (const [words, status] of [
    [['--dry-run'], 0],
    [[], 1],
  ] as const) {
    const answer = init(...words)
    expect(answer.status).toBe(status)
    for (const path of ['auth.js', '.env.local', 'latchkey.json', 'AGENTS.md', '.gitignore'])
      expect(answer.output).toContain(`New file: ${path}\n`)
    expect(all()).toEqual(['package.json'])
  }
  const written = init('--yes', '--port', '8080')
  expect(written.status).toBe(0)
  expect(all()).toEqual(['.env.local', '.gitignore', 'AGENTS.md', 'auth.js', 'latchkey.json', 'package.json'])
  expect(read('.gitignore')).toBe('.env.local\n')
  expect(statSync(join(folder, '.env.local')).mode & 0o777).toBe(0o600)
  const settings = Object.fromEntries(
    read('.env.local')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  )
  expect(settings).toEqual({
    LATCHKEY_ISSUER: 'http://localhost:3001',
    LATCHKEY_CLIENT_ID: 'notes',
    LATCHKEY_CLIENT_SECRET: expect.stringMatching(/^[\w-]{43}$/),
    LATCHKEY_SESSION_SECRET: expect.stringMatching(/^[\w-]{43}$/),
  })
  for (const secret of [settings.LATCHKEY_CLIENT_SECRET, settings.LATCHKEY_SESSION_SECRET])
    expect(written.output).not.toContain(secret)
  expect(JSON.parse(read('latchkey.json')).apps).toEqual([
    {
      id: 'notes',
      name: 'Notes',
      redirectUris: ['http://localhost:8080/auth/callback'],
      signOutUris: ['http://localhost:8080/'],
      trusted: true,
      secret: { env: 'LATCHKEY_CLIENT_SECRET' },
    },
  ])
  const before = all().map((path) => read(path))
  expect(init('--yes', '--port', '8080').output).toContain('Nothing to write')
  expect(all().map((path) => read(path))).toEqual(before)
})

test('latchkey-kit init keeps what stands in the files that it adds to', () => {
  const other = { id: 'other', name: 'Other', redirectUris: ['https://other.example.com/callback'] }
  const { init, read, folder } = folderWith({
    ...express,
    '.env.local': 'DATABASE_URL=x\nLATCHKEY_CLIENT_ID="mine"',
    'latchkey.json': `${JSON.stringify({ groups: ['family'], apps: [other], people: [] }, null, 4)}\n`,
    'AGENTS.md': '# Rules',
    '.gitignore': 'node_modules/',
  })
  execFileSync('git', ['init', '-q'], { cwd: folder })
  expect(init('--yes').status).toBe(0)
  expect(read('.env.local')).toMatch(
    /^DATABASE_URL=x\nLATCHKEY_CLIENT_ID="mine"\nLATCHKEY_ISSUER=.*\nLATCHKEY_CLIENT_SECRET=.*\nLATCHKEY_SESSION_SECRET=.*\n$/,
  )
  expect(read('.gitignore')).toBe('node_modules/\n.env.local\n')
  expect(read('AGENTS.md')).toMatch(/^# Rules\n\nTo be signed in as ada: .*\n$/)
  const { groups, apps, people } = JSON.parse(read('latchkey.json'))
  expect([groups, apps[0], apps[1].id, people]).toEqual([['family'], other, 'mine', []])
  expect(read('latchkey.json')).toContain('\n    "groups"')

  execFileSync('git', ['add', '--force', '.env.local'], { cwd: folder })
  const tracked = init('--yes')
  expect([tracked.status, tracked.output]).toEqual([1, expect.stringContaining('git rm --cached .env.local')])

  const ignored = folderWith({ ...express, '.gitignore': '.env*\n' })
  expect(ignored.init('--yes').status).toBe(0)
  expect(ignored.read('.gitignore')).toBe('.env*\n')
})

test('latchkey-kit init writes nothing where one file differs, or cannot be written', () => {
  const own = 'export const mine = 1\n'
  const cases: [Record<string, string | object>, string][] = [
    [{ ...express, 'auth.js': own }, '- export const mine = 1'],
    [
      { ...express, 'latchkey.json': { apps: [{ id: 'notes', redirectUris: ['https://x.example.com/'] }] } },
      'has an app "notes" already',
    ],
    [{ ...express, 'latchkey.json': '// no JSON' }, 'latchkey.json is no JSON'],
    [
      { 'package.json': { name: 'n', dependencies: { next: '16' } }, 'app/auth': 'a file', 'app/page.js': '' },
      'Nothing was written',
    ],
    [{ 'package.json': { name: 'n', dependencies: { next: '16' } }, 'pages/index.js': '' }, 'for the App Router'],
    [{ 'package.json': { name: 'n', dependencies: { fastify: '5' } } }, 'neither next nor express nor hono'],
    [{ 'index.js': '' }, 'There is no package.json here'],
  ]
  for (const [files, sentence] of cases) {
    const { init, all } = folderWith(files)
    const before = all()
    const { status, output } = init('--yes')
    expect([status, all()], output).toEqual([1, before])
    expect(output).toContain(sentence)
  }
  const { init } = folderWith(express)
  for (const words of [['--port', '0'], ['--port', 'x'], ['--force'], ['again']])
    expect(init(...words).status, words.join(' ')).toBe(2)
})

test('latchkey-kit init writes for TypeScript, CommonJS and src as the app has it', () => {
  const typescript = folderWith({
    'package.json': { name: 'n', dependencies: { hono: '4', '@hono/node-server': '2' } },
    'tsconfig.json': '{}',
    'src/index.ts': '',
  })
  expect(typescript.init('--yes').status).toBe(0)
  expect(typescript.read('src/auth.ts')).toContain("from 'latchkey-kit/hono'")
  const common = folderWith({ 'package.json': { name: 'n', dependencies: { express: '5' } } })
  expect(common.init('--yes').output).toContain("require('./auth.js')")
  expect(common.read('auth.js')).toContain("require('latchkey-kit/express')")
  const next = folderWith({
    'package.json': { name: 'n', scripts: { dev: 'next dev -p 4000' }, dependencies: { next: '16' } },
    'src/app/page.js': '',
  })
  expect(next.init('--yes').status).toBe(0)
  expect(next.read('src/app/auth/[...latchkey]/route.js')).toContain("from '../../../auth'")
  expect(next.read('latchkey.json')).toContain('http://localhost:4000/auth/callback')
  expect(existsSync(join(next.folder, 'src/auth.js'))).toBe(true)
})
