import { spawn, spawnSync } from 'node:child_process'
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
