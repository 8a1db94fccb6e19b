import '../../support/unit/environment'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'playwright/test'
import { answerConnectionErrors, disconnectPipelining, disconnectStalled } from '@/lib/http/server/connections'
import { limitBody } from '@/lib/http/server/next'
import { listenLocally } from '../../support/network/listen-locally'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'

/** A server with these rules. */
async function serve(listener: RequestListener) {
  const server = createServer((request, response) => {
    if (!disconnectPipelining(request, response)) listener(request, response)
  })
  disconnectStalled(server)
  answerConnectionErrors(server)
  return { server, ...(await listenLocally(server)) }
}

const get = rawRequest('GET', '/', { Connection: 'keep-alive' })

test('a client that does not read its response is disconnected', async () => {
  // More than the buffers of both sockets hold.
  const { server, port, close } = await serve((_request, response) => void response.end(Buffer.alloc(64 * 1024 * 1024)))
  server.timeout = 100
  const accepted = once(server, 'connection')
  const client = connect(port, '127.0.0.1')
  client.pause()
  client.write(get)
  const [socket] = (await accepted) as [Socket]
  await once(socket, 'close')
  client.destroy()
  await close()
})

test('a client whose response takes longer than that to begin is not disconnected', async () => {
  const { server, port, close } = await serve(({ socket }, response) => {
    server.once('timeout', () => setImmediate(() => response.end('late')))
    // Not before, as for all connections: one that is slow to send its request would be disconnected.
    socket.setTimeout(100)
  })
  expect(await exchange(port, rawRequest('GET', '/'))).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*late$/)
  await close()
})

/** A promise for each response of a server, kept when the response ends. */
function endsOf(server: Server, event: 'request' | 'checkExpectation' = 'request') {
  const ends: Promise<unknown>[] = []
  server.prependListener(event, (_request, response: ServerResponse) => ends.push(once(response, 'close')))
  return ends
}

test('a client that sends a fifth request before its first is answered is disconnected', async () => {
  let begun = 0
  const { server, port, close } = await serve(() => {
    begun += 1
  })
  const ends = endsOf(server)
  expect(await exchange(port, get.repeat(400))).toBe('')
  expect(begun).toBe(4)
  expect(ends.length).toBeGreaterThan(4)
  await Promise.all(ends)
  await close()
})

test('every response of a connection that is reset ends, also those that wait for the first', async () => {
  const responses: ServerResponse[] = []
  const { server, port, close } = await serve((_request, response) => {
    if (responses.push(response) === 4) client.resetAndDestroy()
  })
  const ends = endsOf(server)
  const client = connect(port, '127.0.0.1')
  client.write(get.repeat(4))
  await once(client, 'close')
  await Promise.all(ends)
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true])
  await close()
})

test('the response to an unknown expectation that waits for another one ends with the connection', async () => {
  const { server, port, close } = await serve(() => {})
  const ends = endsOf(server, 'checkExpectation')
  expect(await exchange(port, get + rawRequest('GET', '/', { Expect: 'x' }))).toContain('417')
  expect(ends).toHaveLength(1)
  await Promise.all(ends)
  await close()
})

test('a client that waits for its answers sends as many requests over a connection as it likes', async () => {
  const { port, close } = await serve((_request, response) => void response.end('x'))
  const client = connect(port, '127.0.0.1')
  for (let time = 0; time < 20; time += 1) {
    client.write(get)
    expect(statusOf(String((await once(client, 'data'))[0]))).toBe(200)
  }
  client.destroy()
  await close()
})

test('an idle connection stays open for longer than the minute that proxies keep it, and is then disconnected', async () => {
  const { server, port, close } = await serve((_request, response) => void response.end('x'))
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000)
  server.keepAliveTimeout = 100
  const client = connect(port, '127.0.0.1')
  client.resume()
  client.write(get)
  await once(client, 'close')
  await close()
})

const unanswerable = [
  ['a malformed request', 'broken\r\n\r\n'],
  ['an unknown expectation', rawRequest('GET', '/', { Expect: 'x' })],
  ['CONNECT', rawRequest('CONNECT', 'evil.example:443')],
] as const
for (const [what, bytes] of unanswerable) {
  test(`${what} amid the response before it closes the connection and writes nothing into that response`, async () => {
    const { port, close } = await serve((_request, response) => void response.write('begun'))
    const client = connect(port, '127.0.0.1')
    let received = ''
    client.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (chunk.includes('begun')) client.write(bytes)
    })
    client.write(get)
    await once(client, 'close')
    expect(received).toMatch(/begun\r\n$/)
    expect(received.split('HTTP/1.1'), received).toHaveLength(2)
    await close()
  })
}

for (const kind of ['declared', 'chunked'] as const) {
  test(`a ${kind} body above the limit is answered 413 before its end, and one at the limit is read`, async () => {
    const { port, close } = await serve((request, response) => {
      if (limitBody(request, 1000, () => response.writeHead(413).end())) return
      let length = 0
      request.on('data', (chunk: Buffer) => (length += chunk.length))
      request.on('end', () => response.end(`read ${length}`))
    })
    const message = (bytes: number) =>
      kind === 'declared'
        ? rawRequest('POST', '/', {}, 'x'.repeat(bytes))
        : `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n0\r\n\r\n`
    expect(await exchange(port, message(1000))).toContain('read 1000')
    expect(statusOf(await exchange(port, message(1001)))).toBe(413)
    // Without its end: the answer does not wait for it.
    expect(statusOf(await exchange(port, message(1001).slice(0, -5)))).toBe(413)
    await close()
  })
}
