import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { test as base, expect } from '../fixtures'
import { accountsWith } from '../operator/accounts-command'
import { settingsOf } from '../operator/command'
import type { Server } from '../server/server'
import { type Received, type Receiver, startReceiver } from './receiver'

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

export interface Hook {
  id: string
  type: string
  timestamp: string
  data: { id: string; username: string; [name: string]: unknown }
}

/** What was received, verified by the library of Standard Webhooks, which throws if it is not genuine. */
export function verify(secret: string, { headers, body }: Received): Hook {
  const event = new Webhook(secret).verify(body, headers) as Omit<Hook, 'id'>
  return { id: headers['webhook-id'] ?? '', ...event }
}

export interface Hooked {
  server: Server
  receiver: Receiver
  /** The first of two */
  secret: string
  /** What a command needs in its environment. */
  env: Record<string, string>
  /** Waits for this many webhooks about an account. @returns them in the order of their timestamps */
  about(account: string, count: number): Promise<Hook[]>
}

/** Those about the account, by the time of the event. */
export const hooksAbout = (received: readonly Received[], secret: string, account: string): Hook[] =>
  received
    .map((one) => verify(secret, one))
    .filter(({ data }) => data.id === account)
    .sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1))

export const test = base.extend<{ hooked: Hooked }>({
  hooked: async ({ startShared, keep }, use) => {
    const { receiver, secrets } = await keep('receiver', async (onEnd) => {
      const receiver = await startReceiver()
      onEnd(() => receiver.stop())
      return { receiver, secrets: [newSecret(), newSecret()] as const }
    })
    const [secret] = secrets
    const env = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secrets.join(', ') }
    const server = await startShared({ env: { RATE_LIMIT_ADDRESS_MAX: '100000', ...env } })
    const about = async (account: string, count: number) => {
      const find = () => hooksAbout(receiver.received, secret, account)
      await expect.poll(() => find().length, { intervals: [20] }).toBeGreaterThanOrEqual(count)
      return find()
    }
    await use({ server, receiver, secret, env, about })
  },
})

/** Runs a command beside the server, with its settings for webhooks. */
export async function command({ server, env }: Pick<Hooked, 'server' | 'env'>, words: string[], input?: string) {
  const done = await accountsWith({ ...settingsOf(server), ...env }, words, input)
  expect(done.code, done.stderr).toBe(0)
  return done
}

/** What waits in the outbox, or has failed for good. */
export const waiting = async (hooked: Pick<Hooked, 'server' | 'env'>) =>
  JSON.parse((await command(hooked, ['deliveries', '--json'])).stdout).deliveries
