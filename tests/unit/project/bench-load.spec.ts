import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'playwright/test'
import { freePort } from '../../support/machine/ports'

test('the benchmark fails when its load generator ends without a result', async () => {
  const load = { port: await freePort(), path: '/', connections: 1, seconds: 1 }
  const program = `
    const { put } = await import('./tests/bench/servers.mjs')
    // As a measured server does, it keeps the process alive.
    const server = setInterval(() => undefined, 1000)
    await put(${JSON.stringify(load)}).catch(({ message }) => console.log(message))
    clearInterval(server)`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    cwd: resolve(import.meta.dirname, '../../..'),
    timeout: 20_000,
  })
  expect((await run).stdout).toBe('The load generator ended with 1.\n')
})
