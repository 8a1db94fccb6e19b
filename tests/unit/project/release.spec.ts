import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect } from 'playwright/test'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

const test = base.extend<{ clone: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires the pattern
  clone: async ({}, use) => {
    const folder = temporaryFolder('release')
    // Where a release runs, this repository has the tag that the tests make.
    execFileSync('git', ['clone', '--quiet', '--shared', '--no-tags', '.', folder])
    const changelog = join(folder, 'CHANGELOG.md')
    writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('- unreleased\n', '- 2026-12-01\n'))
    commit(folder, 'chore: date the release')
    await use(folder)
  },
})

const author = ['-c', 'user.name=tester', '-c', 'user.email=tester@example.com']
const commit = (clone: string, message: string) =>
  execFileSync('git', [...author, 'commit', '--quiet', '--all', '--allow-empty', '--message', message], { cwd: clone })

test.skip(!existsSync('.git'), 'This is no clone.')

const release = (clone: string, ...words: string[]) =>
  spawnSync('scripts/release.sh', words, { cwd: clone, encoding: 'utf8' })

test('a release has the source of its tag, the parts that it runs with, their checksums, and the notes of the changelog', ({
  clone,
}) => {
  const tag = `v${version}`
  execFileSync('git', ['tag', tag], { cwd: clone })
  const { status, stderr } = release(clone, 'assemble', tag, 'out')
  expect({ status, stderr: stderr.replace(/^npm warn .*\n/gm, '') }).toEqual({ status: 0, stderr: '' })
  const out = join(clone, 'out')
  const [archive, parts] = [`latchkey-${version}.tar.gz`, `latchkey-${version}.cdx.json`]
  expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', archive, parts, 'notes.md'].sort())
  expect(execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' }).match(/: OK$/gm)).toHaveLength(
    2,
  )
  const files = execFileSync('tar', ['-tzf', archive], { cwd: out, encoding: 'utf8' }).split('\n')
  expect(files).toContain(`latchkey-${version}/package.json`)
  expect(files.every((file) => file === '' || file.startsWith(`latchkey-${version}/`))).toBe(true)
  const { bomFormat, components } = JSON.parse(readFileSync(join(out, parts), 'utf8'))
  const scopeOf = (wanted: string) => components.find(({ name }: { name: string }) => name === wanted)?.scope
  expect([bomFormat, scopeOf('jose'), scopeOf('playwright')]).toEqual(['CycloneDX', 'required', 'optional'])
  expect(readFileSync(join(out, 'notes.md'), 'utf8')).toMatch(/^### /m)
})

test("a release needs an image on ghcr.io, the one registry that the workflow's token opens, and says so before its tests", () => {
  const workflow = readFileSync('.github/workflows/release.yml', 'utf8')
  const [, step = ''] = workflow.split(' - run: .ci/run')[0]?.match(/- run: \|\n((?: {10}.*\n)+)/) ?? []
  const checked = (IMAGE: string) => spawnSync('sh', ['-ec', step], { env: { ...process.env, IMAGE } }).status
  expect(checked('ghcr.io/owner/latchkey')).toBe(0)
  for (const image of ['', 'owner/latchkey', 'quay.io/owner/latchkey', 'ghcr.io/latchkey', 'ghcr.io.example/a/b'])
    expect(checked(image), image).toBe(1)
  expect(workflow.match(/(?<= )registry: .*/g)).toEqual(['registry: ghcr.io', 'registry: ghcr.io'])
})

test('a version without entries in the changelog, or without a date there, makes no release', ({ clone }) => {
  execFileSync('npm', ['version', '9.9.9', '--no-git-tag-version'], { cwd: clone })
  const check = () => release(clone, 'check', 'v9.9.9')
  const rejection = {
    status: 1,
    stderr: expect.stringMatching(/^CHANGELOG\.md has no entries under "## \[9\.9\.9\] - DATE"/),
  }
  expect(check()).toMatchObject(rejection)
  const write = (heading: string) => writeFileSync(join(clone, 'CHANGELOG.md'), `${heading}\n\n### Added\n\n- More.\n`)
  write('## [9.9.9] - unreleased')
  expect(check()).toMatchObject(rejection)
  write('## [9.9.9] - 2026-12-01')
  expect(check()).toMatchObject({ status: 0, stderr: '' })
})

test('neither a tag that is not the version nor a working tree that is not that of the tag makes a release', ({
  clone,
}) => {
  const other = release(clone, 'check', 'v9.9.9')
  expect([other.status, other.stderr]).toEqual([
    1,
    `The tag is v9.9.9, but package.json has version ${version}: tag v${version}, or change the version first.\n`,
  ])
  const tag = `v${version}`
  const assembled = () => {
    const { status, stderr } = release(clone, 'assemble', tag, 'out')
    return [status, stderr, existsSync(join(clone, 'out'))]
  }
  const rejected = [1, `The working tree is not that of ${tag}: check it out, without changes.\n`, false]
  execFileSync('git', ['tag', tag], { cwd: clone })
  writeFileSync(join(clone, 'package-lock.json'), '{}')
  expect(assembled()).toEqual(rejected)
  commit(clone, 'chore: change a file after the tag')
  expect(assembled()).toEqual(rejected)
})
