import { spawn } from 'node:child_process'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { newSecret, test, waiting } from '../../support/network/webhooks'
import { freePort, killOnExit, untilConnectable } from '../../support/processes'
import { placeSnippet } from '../../support/your-app/snippets'

test.describe('the receivers of docs/webhooks.md', () => {
  for (const [file, command] of [
    ['webhook-receiver.mjs', process.execPath],
    ['webhook_receiver.py', 'python3'],
  ] as const)
    test(`${file} of docs/webhooks.md accepts genuine webhooks and rejects all others`, { tag: '@embedded' }, async ({
      start,
    }) => {
      const [port, secret] = [await freePort(), newSecret()]
      const { path, remove } = placeSnippet(file, {})
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
      const env = { WEBHOOK_URL: `http://127.0.0.1:${port}/`, WEBHOOK_SECRET: secret }
      const server = await start({ env })
      const { id, username } = await signUp(new Client(server))
      await expect.poll(() => waiting({ server, env })).toEqual([])
      const [, type, ...data] = output.trim().split(' ')
      expect(type).toBe('account.created')
      expect(JSON.parse(data.join(' '))).toEqual({ id, username, email: null, groups: [] })

      const other = await start({ env: { ...env, WEBHOOK_SECRET: newSecret() } })
      await signUp(new Client(other))
      await expect.poll(() => waiting({ server: other, env })).toMatchObject([{ error: 'answered 401' }])
      expect(output.trim().split('\n')).toHaveLength(1)
      child.kill()
      remove()
    })
})
