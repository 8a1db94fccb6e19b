import { randomBytes } from 'node:crypto'
import { test as base, expect } from '../fixtures'
import { accountsJson } from '../operator/accounts-command'
import type { Server } from '../server/server'

export { expect }

/** A picture of one pixel. */
export const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export const CALLBACK = 'https://app.example.com/callback'

export interface RegisteredApp {
  id: string
  name: string
  secret: string | undefined
  redirectUri: string
}

/** Registers an app by the operator's command, with these redirect URIs and options. */
export async function registerApp(server: Server, ...words: string[]): Promise<RegisteredApp> {
  const name = `App ${randomBytes(6).toString('hex')}`
  const { app, secret } = await accountsJson(server, 'app', 'add', name, ...words)
  return { id: app.id, name, secret, redirectUri: app.redirectUris[0] }
}

type PerTest = {
  /** An app with these options, registered once for each server. Tests share it, so one that changes an app registers its own. */
  appWith: (...words: string[]) => Promise<RegisteredApp>
  /** A confidential app that needs PKCE or a nonce, and consent, shared as those of `appWith`. */
  app: RegisteredApp
}

const registered = new WeakMap<Server, Map<string, Promise<RegisteredApp>>>()

export const test = base.extend<PerTest>({
  appWith: async ({ server }, use) => {
    const known = registered.get(server) ?? new Map<string, Promise<RegisteredApp>>()
    registered.set(server, known)
    await use((...words) => {
      const key = words.join('\n')
      const app = known.get(key) ?? registerApp(server, ...words)
      known.set(key, app)
      return app
    })
  },
  app: async ({ appWith }, use) => use(await appWith(CALLBACK)),
})
