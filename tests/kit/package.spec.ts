import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, root, tarball, test } from './app'

const built = join(root, 'build/kit/dist')

test('the tarball of latchkey-kit is small, and publint and attw find no fault with its entries', () => {
  expect(statSync(tarball).size).toBeLessThan(100_000)
  const run = (...words: string[]) => execFileSync('npx', ['--yes', ...words], { cwd: root, encoding: 'utf8' })
  expect(run('publint@0.3.25', tarball, '--strict')).toContain('All good!')
  // Exits with 1 for a problem.
  run('@arethetypeswrong/cli@0.18.5', tarball, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm')
})

test('what latchkey-kit/web is made of imports nothing of Node, and the kit depends on openid-client and jose alone', () => {
  const importsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?'([^']+)'/g)].map(([, name = '']) => name)
  const seen = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) visit(resolve(dirname(file), name))
      else packages.add(name)
    }
  }
  visit(join(built, 'web.js'))
  expect([...packages].sort()).toEqual(['jose', 'openid-client'])
  expect(readdirSync(built)).toContain('command.js')
  const { dependencies } = JSON.parse(readFileSync(join(root, 'build/kit/package.json'), 'utf8'))
  expect(Object.keys(dependencies).sort()).toEqual(['jose', 'openid-client'])
})
