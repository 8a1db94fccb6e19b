import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'

const read = (path: string) => readFileSync(path, 'utf8')

test('a workflow audits the dependencies each day, and what CI runs does not', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts.audit).toMatch(/^npm audit --audit-level=/)
  const workflow = read('.github/workflows/audit.yml')
  expect(workflow).toMatch(/^ {2}schedule:\n {4}- cron: '\d+ \d+ \* \* \*'$/m)
  expect(workflow).toMatch(/^ +- run: npm run audit$/m)
  expect(read('.ci/run')).not.toContain('audit')
})

test('SECURITY.md has a time for advisories of each severity, and for updates without one', () => {
  for (const severity of ['critical', 'high', 'moderate', 'low'])
    expect(read('SECURITY.md')).toMatch(new RegExp(`^\\| ${severity}[^|]* \\| \\d+ days \\| \\d+ days \\|$`, 'm'))
  expect(read('SECURITY.md')).toMatch(
    /^Without an advisory, dependencies are brought up to date at least every \d+ days\.$/m,
  )
})

test('each direct dependency has its row in docs/dependencies.md, and no other package has', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const [tables = ''] = read('docs/dependencies.md').split('## What the overrides leave out')
  const rows = [...tables.matchAll(/^\| `([^`]+)` \| [\d.]+ \| \S.* \|$/gm)].map(([, name]) => name)
  expect(rows.sort()).toEqual([...Object.keys(dependencies), ...Object.keys(devDependencies)].sort())
})

test('all that the service runs with, or is built by, has a licence that is known to be fine', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/licences.mjs'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^ *\d+ MIT$/m)
  const named = [...stdout.matchAll(/^ *(\d+) [^:\n]+: (.*)$/gm)].map(([, count, names = '']) => [
    count,
    names.split(', '),
  ])
  expect(named.length).toBeGreaterThan(0)
  for (const [count, names] of named) expect(names, `${names}`).toHaveLength(Number(count))
})

test('the lock file has each package with its version and digest, and all come from a registry', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }
  const { '': own, ...others } = packages
  expect(own?.version).toBe(JSON.parse(read('package.json')).version)
  const entries = Object.entries(others)
  expect(entries.length).toBeGreaterThan(100)
  const strange = entries.filter(
    ([, { version = '', integrity = '', resolved = '', link, inBundle }]) =>
      !/^\d+\.\d+\.\d+/.test(version) ||
      // What is part of another package shares its digest.
      !(inBundle || /^sha(512|1)-/.test(integrity)) ||
      // A registry's file, not a repository's, and no folder.
      !/^(https:\/\/[^/]+\/(@[^/]+\/)?[^/]+\/-\/[^/]+\.tgz)?$/.test(resolved) ||
      link !== undefined,
  )
  expect(strange).toEqual([])
})

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
}
