import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { expect, test } from 'playwright/test'
import { isRouterState } from '@/lib/http/server/next'
import { inCi } from '../../support/machine/programs'

const root = resolve(import.meta.dirname, '../../..')

/** Runs a program that uses Next as lib/http/server/next.ts would without its measures, and returns what it prints. */
const run = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' })

test.describe('what Latchkey uses of Next beyond its public API', () => {
  test.skip(!existsSync(join(root, '.next/BUILD_ID')) && !inCi, 'the built pages (npm run build)')

  test('Next, left to itself, prints that it ran its configuration, loads OpenTelemetry, takes upgrades, and prints what nothing caught', () => {
    const output = run(`
      import { createServer } from 'node:http'
      import { createRequire } from 'node:module'
      const require = createRequire(process.cwd() + '/')
      const { default: next } = await import('next')
      const httpServer = createServer()
      const pages = next({ dev: false, port: 0, httpServer })
      await pages.prepare()
      httpServer.on('request', pages.getRequestHandler())
      await new Promise((done) => httpServer.listen(0, '127.0.0.1', done))
      await (await fetch('http://127.0.0.1:' + httpServer.address().port + '/robots.txt')).text()
      const names = (event) => process.listeners(event).map(({ name }) => name)
      console.log(JSON.stringify({
        upgrades: httpServer.listenerCount('upgrade'),
        telemetry: Object.keys(require.cache).some((file) => /node_modules.@opentelemetry.api/.test(file)),
        exceptions: names('uncaughtException').includes('logError'),
        rejections: names('unhandledRejection').length,
      }))
      process.exit()`)
    const lines = output.trim().split('\n')
    expect(lines.join()).toContain('next.config.mjs')
    const facts = JSON.parse(lines.at(-1) ?? '')
    expect(facts).toEqual({ upgrades: 1, telemetry: true, exceptions: true, rejections: expect.any(Number) })
    expect(facts.rejections).toBeGreaterThan(0)
  })
})

test('Next reads a router state that its own pages send, and no other', () => {
  const state = encodeURIComponent(JSON.stringify(['', { children: ['signin', {}] }]))
  expect(isRouterState(state)).toBe(true)
  for (const header of ['{bad', '%', '[]', '{}', 'x'.repeat(50_000), `${state}, ${state}`])
    expect(isRouterState(header), header.slice(0, 20)).toBe(false)
})

test('Node keeps the response that it is writing on its socket', async () => {
  const server = createServer((_request, response) => {
    response.end(String((response.socket as unknown as { _httpMessage: unknown })._httpMessage === response))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('true')
  server.close()
})
