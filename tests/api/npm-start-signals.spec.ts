import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../support/client'
import { expect, test } from '../support/fixtures'
import { freePort, killOnExit, untilConnectable } from '../support/processes'

test('a signal to npm start stops the server', { tag: '@pages' }, async () => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'))
  const settings = { PORT: String(port), HOST: '127.0.0.1', DATABASE_URL: `file:${join(folder, 'latchkey.db')}` }
  const npm = spawn('npm', ['start'], { env: { ...process.env, ...settings }, stdio: 'ignore' })
  killOnExit(npm)
  await untilConnectable(port, npm)
  const server = { url: `http://127.0.0.1:${port}`, origin: `http://localhost:${port}` }
  expect((await new Client(server).post('/api/i')).status).toBe(401)
  npm.kill('SIGTERM')
  const gone = () =>
    new Client(server).post('/api/i').then(
      () => false,
      () => true,
    )
  await expect.poll(gone, { timeout: 10_000 }).toBe(true)
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
