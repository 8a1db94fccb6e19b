import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '../../support/fixtures'
import { freePort, untilClosed, untilConnectable } from '../../support/machine/ports'
import { killOnExit } from '../../support/machine/processes'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { beginRequest } from '../../support/network/raw-http'

test('a signal to npm start stops the server, once it has answered', { tag: '@pages' }, async () => {
  const port = await freePort()
  const databaseUrl = `file:${join(temporaryFolder('start'), 'latchkey.db')}`
  const settings = { PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: databaseUrl }
  const npm = spawn('npm', ['start'], { env: { ...process.env, ...settings }, stdio: 'ignore' })
  killOnExit(npm)
  await untilConnectable(port, npm)
  // No hash, which a busy machine would not finish in the five seconds that the shutdown leaves.
  const last = await beginRequest(port, '/api/auth/login/options', {})
  npm.kill('SIGTERM')
  await untilClosed(port)
  expect(await last.finish()).toBe(200)
})

test('a signal to npm start ends a build that is under way, and its step', async () => {
  const folder = temporaryFolder('start')
  for (const room of ['app', 'components', 'lib', 'prisma', 'public']) mkdirSync(join(folder, room))
  for (const file of ['start.mjs', 'build/ensure.mjs', 'build/source-digest.mjs', 'support/step.mjs'])
    cpSync(`scripts/${file}`, join(folder, 'scripts', file))
  const notes = join(folder, 'processes')
  const step = `require('node:fs').writeFileSync('${notes}', process.ppid + ' ' + process.pid + '.'); setInterval(() => {}, 1000)`
  const files = {
    'package.json': '{ "scripts": { "start": "node scripts/start.mjs" } }',
    'package-lock.json': '',
    'tsconfig.json': '',
    'scripts/build/build-product.mjs': `
      import { runQuietly } from '../support/step.mjs'
      export const buildProduct = () => runQuietly(['-e', ${JSON.stringify(step)}])`,
  }
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  const npm = spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' })
  killOnExit(npm)
  const noted = () => (existsSync(notes) ? readFileSync(notes, 'utf8') : '')
  await expect.poll(noted).toMatch(/\.$/)
  npm.kill('SIGTERM')
  const running = () =>
    noted()
      .match(/\d+/g)
      ?.filter((pid) => isRunning(Number(pid)))
  await expect.poll(running).toEqual([])
})

test('a built server prints its address when ready and nothing else', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ mode: 'node' })
  await expect.poll(server.output).toBe(`Latchkey is ready: ${server.origin}\n`)
})

test('npm start with an invalid setting names it and exits with 1', { tag: '@pages' }, () => {
  const env = { ...process.env, BCRYPT_COST: '99' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], { env, encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^Latchkey cannot start:\n {2}BCRYPT_COST must be /)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
