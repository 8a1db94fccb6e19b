import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'playwright/test'
import { temporaryFolder } from '../../support/machine/temporary-folder'

/** Runs `program` as a step, in a process of its own as the scripts do. */
async function runStep(program: string) {
  const script = `
    import './scripts/support/command-line.mjs'
    import { announce, runQuietly } from './scripts/support/step.mjs'
    announce('Building the kite')
    await runQuietly(['-e', ${JSON.stringify(program)}], /^Loaded /)
    announce('Flying it')
    process.exitCode = 5`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await exit, stdout, stderr }
}

const BANNER = "console.log('banner');"

test('a build step that succeeds shows its announcement and its warnings only', async () => {
  for (const [program, warnings] of [
    [`console.error('\\u001b[2mLoaded config\\n\\u001b[22m')`, ''],
    [`console.error('Loaded config'); console.warn('kite is old')`, 'kite is old\n'],
  ] as const) {
    const { stdout, stderr } = await runStep(`${BANNER} ${program}`)
    expect([stdout, stderr]).toEqual(['Building the kite\nFlying it\n', warnings])
  }
})

test('a build step that fails shows all of its output and ends the script with its exit code', async () => {
  const { status, stdout, stderr } = await runStep(`${BANNER} console.error('Loaded config'); process.exitCode = 3`)
  expect(stdout).toBe('Building the kite\n')
  expect(stderr.split('\n').sort()).toEqual(['', 'Loaded config', 'banner'])
  expect(status).toBe(3)
})

test('a build needs no `public`, and what is in it belongs to the source', () => {
  const folder = temporaryFolder('source')
  for (const file of ['package-lock.json', 'tsconfig.json']) writeFileSync(join(folder, file), '')
  for (const room of ['app', 'components', 'lib', 'prisma', 'scripts']) mkdirSync(join(folder, room))
  const module = JSON.stringify(pathToFileURL('scripts/build/source-digest.mjs'))
  const script = `const { sourceDigest } = await import(${module}); console.log(sourceDigest())`
  const digest = () =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder }).stdout.toString()
  const bare = digest()
  expect(bare).toMatch(/^[\da-f]{64}\n$/)
  mkdirSync(join(folder, 'public'))
  writeFileSync(join(folder, 'public/robots.txt'), 'User-agent: *')
  expect(digest()).not.toBe(bare)
})

test('a build that fails leaves no stamp of an earlier one, whose files it may have replaced', () => {
  const folder = temporaryFolder('build')
  for (const room of ['app', 'build', 'components', 'lib/api/openapi', 'prisma', 'public', 'scripts'])
    mkdirSync(join(folder, room), { recursive: true })
  const stamps = ['build/server-digest', 'build/source-digest']
  for (const file of ['package-lock.json', ...stamps]) writeFileSync(join(folder, file), 'earlier')
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  const module = pathToFileURL('scripts/build/build-product.mjs')
  // There is neither a server nor a schema to build from.
  const script = `const { buildServer, buildProduct } = await import('${module}')
    await buildServer().then(() => process.exit(0), () => {})
    await buildProduct()`
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: folder })
  expect(status).toBe(1)
  expect(stamps.filter((stamp) => existsSync(join(folder, stamp)))).toEqual([])
})
