import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { freePort, untilConnectable } from '../../support/machine/ports'
import { killOnExit } from '../../support/machine/processes'
import { newSecret, test, waiting } from '../../support/network/webhooks'
import { placeSnippet } from '../../support/your-app/snippets'

/** Runs a receiver of docs/webhooks.md, and the settings of a server that sends to it. */
async function startSnippet(file: string, command: string) {
  const [port, secret] = [await freePort(), newSecret()]
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
    env: { WEBHOOK_URL: `http://127.0.0.1:${port}/`, WEBHOOK_SECRET: secret },
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

test.describe('the receivers of docs/webhooks.md', () => {
  for (const [file, command] of [
    ['webhook-receiver.mjs', process.execPath],
    ['webhook_receiver.py', 'python3'],
  ] as const) {
    test(`${file} of docs/webhooks.md accepts genuine webhooks and rejects all others`, async ({ start }) => {
      if (command === 'python3') needs('Python')
      const { env, lines, stop } = await startSnippet(file, command)
      const server = await start({ env })
      const { id, username } = await signUp(new Client(server))
      await expect.poll(() => waiting({ server, env })).toEqual([])
      const [, type, ...data] = lines().join().split(' ')
      expect(type).toBe('account.created')
      expect(JSON.parse(data.join(' '))).toEqual({ id, username, displayName: null, email: null, groups: [] })

      const other = await start({ env: { ...env, WEBHOOK_SECRET: newSecret() } })
      await signUp(new Client(other))
      await expect.poll(() => waiting({ server: other, env })).toMatchObject([{ error: 'answered 401' }])
      expect(lines()).toHaveLength(1)
      stop()
    })

    test(`${file} of docs/webhooks.md accepts webhooks beside requests that are bare, too long, or cut in the middle`, async ({
      start,
    }) => {
      if (command === 'python3') needs('Python')
      const { port, env, lines, stop } = await startSnippet(file, command)
      const server = await start({ env })
      const half = await sendHalf(port)
      const statusOf = async (body: string, headers: Record<string, string>) =>
        (await fetch(env.WEBHOOK_URL, { method: 'POST', body, headers })).status
      expect(await statusOf('', {})).toBe(401)
      expect(await statusOf('{}', { 'webhook-id': 'a', 'webhook-timestamp': 'b', 'webhook-signature': 'v1,ä' })).toBe(
        401,
      )
      // Its body never comes, and nothing waits for it.
      const long = connect(port, '127.0.0.1')
      long.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n')
      expect(String((await once(long, 'data'))[0])).toMatch(/^HTTP\/1\.[01] 401 /)
      long.destroy()
      half.resetAndDestroy()
      await signUp(new Client(server))
      await expect.poll(() => lines()).toEqual([expect.stringContaining('account.created')])
      const another = await sendHalf(port)
      await signUp(new Client(server))
      await expect.poll(() => lines()).toHaveLength(2)
      another.destroy()
      stop()
    })
  }
})
