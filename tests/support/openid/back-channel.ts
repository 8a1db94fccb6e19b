import { type Receiver, startReceiver } from '../network/receiver'
import type { Server } from '../server/server'
import { readSql } from '../storage/sql'
import { verifyWithPublicKeys } from '../tokens/tokens'
import { test as base, CALLBACK, expect, type RegisteredApp, registerApp } from './fixtures'

export interface Listening extends RegisteredApp {
  receiver: Receiver
}

/** `listening`: an app with a receiver of its own, as all are that a test makes. */
export const test = base.extend<{ listen: (...words: string[]) => Promise<Listening>; listening: Listening }>({
  listen: async ({ server }, use) => {
    const receivers: Receiver[] = []
    await use(async (...words) => {
      const receiver = await startReceiver(200)
      receivers.push(receiver)
      const app = await registerApp(server, CALLBACK, '--back-channel', receiver.url, ...words)
      return { ...app, receiver }
    })
    for (const receiver of receivers) await receiver.stop()
  },
  listening: async ({ listen }, use) => use(await listen()),
})

export const sentTo = ({ receiver }: Listening) =>
  receiver.received.map(({ body }) => new URLSearchParams(body).get('logout_token') ?? '')

/** The claims of the only logout token that the app has got, once it has. */
export async function logoutToken(server: Server, app: Listening) {
  await app.receiver.until(1)
  const [token = '', ...others] = sentTo(app)
  expect(others).toEqual([])
  return verifyWithPublicKeys(server, token, { audience: app.id, algorithms: ['RS256'], typ: 'logout+jwt' })
}

/** What waits or has failed for the app's receiver. */
export const rowsOf = (server: Server, { receiver }: Listening) =>
  readSql(server.databaseUrl, `SELECT "error" FROM "Delivery" WHERE "receiver" = '${receiver.url}'`)
