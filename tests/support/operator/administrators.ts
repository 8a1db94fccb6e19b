import { expect } from 'playwright/test'
import { authenticate, signUpWithPasskey } from '../accounts'
import { Client, type ClientOptions } from '../client'
import type { Server } from '../server/server'
import { Authenticator } from '../webauthn/authenticator'
import { accountsJson } from './accounts-command'

/** A member of `admins` who has just signed in with a passkey that verified its user. */
export async function createAdministrator(server: Server, options?: ClientOptions) {
  const client = new Client(server, options)
  const authenticator = new Authenticator(server.origin)
  const { id, username } = await signUpWithPasskey(client, authenticator)
  await accountsJson(server, 'group', 'add', 'admins', `id:${id}`)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  return { client, authenticator, id, username }
}
