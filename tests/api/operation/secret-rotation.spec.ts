import { randomBytes } from 'node:crypto'
import { PASSWORD, randomName, registrationOptions, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import type { Server, ServerOptions } from '../../support/server/server'
import { Authenticator } from '../../support/webauthn/authenticator'

const OLD = randomBytes(48).toString('base64')
const NEW = randomBytes(48).toString('base64')

/** Each step of docs/deploy.md. */
const STEPS = {
  before: { JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: undefined },
  announced: { JWT_SECRET: OLD, JWT_SECRET_PREVIOUS: NEW },
  swapped: { JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: OLD },
  dropped: { JWT_SECRET: NEW, JWT_SECRET_PREVIOUS: undefined },
}

/** What a browser has that depends on a secret. */
async function beginAt(server: Server) {
  const client = new Client(server)
  const { username, token } = await signUp(client)
  const options = await registrationOptions(new Client(server), randomName())
  return { username, token, device: client.jar.get('latchkey-device') ?? '', options }
}

/** A session, a challenge and a device token of one instance are good on another. */
async function expectGoodAt(server: Server, { username, token, device, options }: Awaited<ReturnType<typeof beginAt>>) {
  await expectSignedIn(new Client(server, { bearer: token }))
  const made = new Authenticator(server.origin).create(options)
  expect((await new Client(server).post('/api/auth/register/verify', made)).status).toBe(201)
  // Once, whichever secret it was signed with.
  expectAuthenticationFailed(await new Client(server).post('/api/auth/register/verify', made))
  for (let time = 0; time < 5; time += 1) await signInWithPassword(new Client(server), username, 'wrong password')
  expect((await signInWithPassword(new Client(server), username)).status).toBe(429)
  expect((await signInWithPassword(browserWith(server, device), username)).status).toBe(200)
}

function browserWith(server: Server, device: string) {
  const client = new Client(server)
  client.jar.set('latchkey-device', device)
  return client
}

/** Ends an instance and starts it with other secrets, beside the one whose database both use. */
async function replace(
  instance: Server,
  first: Server,
  start: (options: ServerOptions) => Promise<Server>,
  secrets: NonNullable<ServerOptions['env']>,
) {
  await instance.kill('SIGTERM')
  return start({ beside: first, env: { APP_ORIGIN: first.origin, RATE_LIMIT_ADDRESS_MAX: '1000', ...secrets } })
}

test('changing the secret in three steps on two instances signs nobody out, until the old secret is dropped', async ({
  start,
}) => {
  const common = { RATE_LIMIT_ADDRESS_MAX: '1000' }
  const first = await start({ env: { ...common, ...STEPS.before } })
  let a = first
  let b = await start({ beside: first, env: { ...common, APP_ORIGIN: first.origin, ...STEPS.before } })
  const old = await beginAt(a)
  for (const step of [STEPS.announced, STEPS.swapped]) {
    // Instances are replaced one after the other; between the two, each accepts what the other signs.
    a = await replace(a, first, start, step)
    await expectGoodAt(a, await beginAt(b))
    await expectGoodAt(b, await beginAt(a))
    b = await replace(b, first, start, step)
    await expectGoodAt(b, await beginAt(a))
    for (const instance of [a, b]) await expectSignedIn(new Client(instance, { bearer: old.token }))
  }
  const young = await beginAt(a)
  a = await replace(a, first, start, STEPS.dropped)
  await expectGoodAt(a, await beginAt(b))
  await expectGoodAt(b, young)
  await expectSignedOut(new Client(a, { bearer: old.token }))
  await expectSignedIn(new Client(a, { bearer: young.token }))
})

test('after the old secret is dropped its challenges fail, and its device tokens cost only the bucket of their own @promise', async ({
  start,
}) => {
  const first = await start({ env: STEPS.before })
  const { username, token, device, options } = await beginAt(first)
  const server = await replace(first, first, start, STEPS.dropped)
  await expectSignedOut(new Client(server, { bearer: token }))
  const made = new Authenticator(server.origin).create(options)
  expectAuthenticationFailed(await new Client(server).post('/api/auth/register/verify', made))
  const browser = browserWith(server, device)
  expect((await signInWithPassword(browser, username, PASSWORD)).status).toBe(200)
  expect(browser.jar.get('latchkey-device')).not.toBe(device)
  for (let time = 0; time < 5; time += 1) await signInWithPassword(new Client(server), username, 'wrong password')
  expect((await signInWithPassword(browserWith(server, device), username)).status).toBe(429)
  expect((await signInWithPassword(browser, username)).status).toBe(200)
})
