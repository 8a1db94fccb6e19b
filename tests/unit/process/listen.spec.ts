import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'playwright/test'
import { listen } from '@/lib/process/own-server'

test('a server does not listen on a port that is taken', async () => {
  const taken = createServer()
  await listen(taken, { host: '127.0.0.1', port: 0 }, 'could not accept a connection')
  const { port } = taken.address() as AddressInfo
  const late = listen(createServer(), { host: '127.0.0.1', port }, 'could not accept a connection')
  await expect(late).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await once(taken.close(), 'close')
})
