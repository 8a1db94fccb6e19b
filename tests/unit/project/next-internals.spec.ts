import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { isRouterState } from '@/lib/http/server/next'

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
