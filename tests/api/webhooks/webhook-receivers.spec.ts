import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { freePort, untilConnectable } from '../../support/machine/ports'
import { killOnExit } from '../../support/machine/processes'
import type { Received } from '../../support/network/receiver'
import { test } from '../../support/network/webhooks'
import { placeSnippet } from '../../support/your-app/snippets'

/** Runs a receiver of docs/webhooks.md. */
async function startSnippet(file: string, command: string, secret: string) {
  const port = await freePort()
  const path = placeSnippet(file)
  const environment = {
    PATH: process.env.PATH,
    NODE_ENV: 'production' as const,
    PORT: String(port),
    WEBHOOK_SECRET: secret,
  }
  const child = spawn(command, [path], { env: environment })
  killOnExit(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  await untilConnectable(port, child)
  return {
    port,
    lines: () => output.split('\n').filter(Boolean),
    stop: () => void child.kill(),
  }
}

/** Sends only the head of a request and a part of its body. */
async function sendHalf(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  await new Promise((done) =>
    socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf', done),
  )
  return socket
}

for (const [file, command] of [
  ['webhook-receiver.mjs', process.execPath],
  ['webhook_receiver.py', 'python3'],
] as const)
  test(`${file} of docs/webhooks.md accepts genuine webhooks alone, also beside requests that are bare, too long, or cut in the middle`, async ({
    hooked,
  }) => {
    if (command === 'python3') needs('Python')
    const { id, username } = await signUp(new Client(hooked.server))
    await hooked.about(id, 1)
    const genuine = hooked.receiver.received.find(({ body }) => body.includes(id)) as Received
    const { port, lines, stop } = await startSnippet(file, command, hooked.secret)
    const half = await sendHalf(port)
    const statusOf = async (body: string, headers: Record<string, string>) => {
      const named = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'))
      const url = `http://127.0.0.1:${port}/`
      return (await fetch(url, { method: 'POST', body, headers: Object.fromEntries(named) })).status
    }
    expect(await statusOf(genuine.body, genuine.headers)).toBe(204)
    await expect.poll(lines).toHaveLength(1)
    const [, type, ...data] = lines().join().split(' ')
    expect(type).toBe('account.created')
    expect(JSON.parse(data.join(' '))).toEqual({ id, username, displayName: null, email: null, groups: [] })

    expect(await statusOf(genuine.body.replace(username, 'mallory'), genuine.headers)).toBe(401)
    const earlier = String(Number(genuine.headers['webhook-timestamp']) - 1)
    expect(await statusOf(genuine.body, { ...genuine.headers, 'webhook-timestamp': earlier })).toBe(401)
    expect(await statusOf('', {})).toBe(401)
    const malformed = { 'webhook-id': 'a', 'webhook-timestamp': 'b', 'webhook-signature': 'v1,ä' }
    expect(await statusOf('{}', malformed)).toBe(401)
    // Its body never comes, and nothing waits for it.
    const long = connect(port, '127.0.0.1')
    long.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n')
    expect(String((await once(long, 'data'))[0])).toMatch(/^HTTP\/1\.[01] 401 /)
    long.destroy()
    half.resetAndDestroy()
    expect(await statusOf(genuine.body, genuine.headers)).toBe(204)
    await expect.poll(lines).toHaveLength(2)
    stop()
  })
