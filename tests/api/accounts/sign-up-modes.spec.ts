import { decodeJwt } from 'jose'
import {
  authenticate,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError, expectNoSession } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { logLines, requestIdOf } from '../../support/server/server-log'
import {
  asChallenge,
  makeInvitation,
  now,
  resign,
  tokenOf,
  unsecured,
  withOtherSignature,
} from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'

type SignUpMode = 'open' | 'invited' | 'closed'

type Modes = {
  /** Starts a server on the shared one's stores and origin. */
  switchTo: (mode: SignUpMode, env?: Record<string, string>) => Promise<Server>
}

const test = base.extend<Modes>({
  server: async ({ startShared }, use) =>
    use(await startShared({ env: { SIGN_UP: 'invited', RATE_LIMIT_ADDRESS_MAX: '100000' } })),
  switchTo: async ({ server, start }, use) =>
    use((mode, env) => start({ beside: server, env: { SIGN_UP: mode, APP_ORIGIN: server.origin, ...env } })),
})

const byPassword = (client: Client, username: string, invitation?: unknown, password = PASSWORD) =>
  client.post('/api/signup', { username, password, invitation })

const optionsFor = (client: Client, username: string, invitation?: unknown) =>
  client.post('/api/auth/register/options', { username, invitation })

async function byPasskey(client: Client, username: string, invitation: string) {
  const options = await optionsFor(client, username, invitation)
  expect(options.status, options.text).toBe(200)
  return client.post('/api/auth/register/verify', new Authenticator(client.server.origin).create(options.body))
}

function expectClosed(answer: Answer) {
  expectError(answer, 403, 'sign_up_closed')
  expectNoSession(answer)
}

/** Both ways to sign up are closed, and say the same of a username that is taken. */
async function expectClosedFor(client: Client, taken: string, invitation?: unknown) {
  for (const username of [randomName(), taken]) {
    expectClosed(await byPassword(client, username, invitation))
    expectClosed(await optionsFor(client, username, invitation))
  }
}

/** An account that came in by an invitation. */
async function invited(server: Server) {
  const client = new Client(server)
  const username = randomName()
  const invitation = await makeInvitation(server)
  expect((await byPassword(client, username, invitation)).status).toBe(201)
  return { client, username, invitation }
}

test('an invitation creates one account, with a password or a passkey', async ({ server }) => {
  const { username, invitation } = await invited(server)
  await expectClosedFor(new Client(server), username, invitation)

  const another = await makeInvitation(server)
  expect((await byPasskey(new Client(server), randomName(), another)).status).toBe(201)
  await expectClosedFor(new Client(server), username, another)
})

test('the second use of an invitation is closed even under the username that the first one took', async ({
  server,
}) => {
  const [username, invitation] = [randomName(), await makeInvitation(server)]
  const ask = async () => (await optionsFor(new Client(server), username, invitation)).body
  const authenticator = new Authenticator(server.origin)
  const responses = [authenticator.create(await ask()), authenticator.create(await ask())]
  const verify = (response: unknown) => new Client(server).post('/api/auth/register/verify', response)
  expect((await verify(responses[0])).status).toBe(201)
  expectClosed(await verify(responses[1]))
})

test('without a good invitation nobody signs up, and a taken username says the same', async ({ server }) => {
  const { username, client } = await invited(server)
  const good = await makeInvitation(server)
  const session = (await signInWithPassword(new Client(server), username)).body.token
  const step = { claims: { sub: 'x' }, header: { typ: 'invitation+jwt' } }
  const bad = [
    undefined,
    '',
    'nonsense',
    unsecured(good),
    withOtherSignature(good),
    await makeInvitation(server, -1),
    await makeInvitation({ secret: 'another secret, which is just as long as ours' }),
    await resign(good, server.secret, { claims: { exp: undefined } }),
    await resign(good, server.secret, { claims: { jti: undefined } }),
    await resign(good, server.secret, { header: { typ: 'device+jwt' } }),
    // A session token under the type of an invitation: the keys differ.
    await resign(session, server.secret, { ...step, keyOf: 'session' }),
    session,
    client.stepUp,
  ]
  for (const invitation of bad) await expectClosedFor(new Client(server), username, invitation)
  expectError(await byPassword(new Client(server), randomName(), 7), 400, 'invalid_request')
  expect((await byPassword(new Client(server), randomName(), good)).status).toBe(201)
})

test('an invitation with a wrong signature is logged as forged, and its text is not', async ({ server }) => {
  const forged = await makeInvitation({ secret: 'another secret, which is just as long as ours' })
  const answer = await byPassword(new Client(server), randomName(), forged)
  expectClosed(answer)
  const line = { event: 'forged_token', request: requestIdOf(answer) }
  await expect.poll(() => logLines(server.output())).toContainEqual(expect.objectContaining(line))
  expect(server.output()).not.toContain(forged)
})

test('while sign-up is closed no invitation helps, no attempt counts, and members still sign in and add passkeys @promise', async ({
  server,
  switchTo,
}) => {
  const { username } = await invited(server)
  const invitation = await makeInvitation(server)
  const asked = (await optionsFor(new Client(server), randomName(), await makeInvitation(server))).body
  const closed = await switchTo('closed', { RATE_LIMIT_ADDRESS_MAX: '1', TRUSTED_PROXIES: '1' })
  const from = (address: string) => new Client(closed, { headers: { 'X-Forwarded-For': address } })
  for (const given of [undefined, invitation]) await expectClosedFor(from('198.51.100.1'), username, given)
  // Nor does the answer tell anything of the password.
  expectClosed(await byPassword(from('198.51.100.1'), randomName(), undefined, 'password1234'))
  const created = new Authenticator(server.origin).create(asked)
  expectClosed(await from('198.51.100.2').post('/api/auth/register/verify', created))
  const member = from('198.51.100.3')
  expect((await signInWithPassword(member, username)).status).toBe(200)
  const authenticator = new Authenticator(server.origin)
  expect((await register(member, authenticator)).status).toBe(201)
  expect((await authenticate(from('198.51.100.4'), authenticator)).status).toBe(200)
  // It was not used up.
  expect((await byPassword(new Client(server), randomName(), invitation)).status).toBe(201)
})

test('a taken username and a rejected password leave the invitation good', async ({ server }) => {
  const { username: taken } = await invited(server)
  const invitation = await makeInvitation(server)
  const client = new Client(server)
  expectError(await byPassword(client, taken, invitation), 409, 'username_taken')
  expectError(await optionsFor(client, taken, invitation), 409, 'username_taken')
  for (const password of ['short', 'password1234'])
    expectError(await byPassword(client, randomName(), invitation, password), 400, 'invalid_request')

  // Taken between the options and the passkey.
  const contested = randomName()
  const options = await optionsFor(client, contested, invitation)
  expect((await byPassword(new Client(server), contested, await makeInvitation(server))).status).toBe(201)
  const late = await client.post('/api/auth/register/verify', new Authenticator(server.origin).create(options.body))
  expectError(late, 409, 'username_taken')
  expect((await byPasskey(client, randomName(), invitation)).status).toBe(201)
})

test('of ten sign-ups at once with one invitation exactly one creates an account @storage @promise', async ({
  server,
}) => {
  const invitation = await makeInvitation(server)
  const names = Array.from({ length: 10 }, () => randomName())
  const authenticator = new Authenticator(server.origin)
  const responses = await Promise.all(
    names
      .slice(0, 7)
      .map(async (name) => authenticator.create((await optionsFor(new Client(server), name, invitation)).body)),
  )
  const answers = await Promise.all([
    ...responses.map((response) => new Client(server).post('/api/auth/register/verify', response)),
    ...names.slice(7).map((name) => byPassword(new Client(server), name, invitation)),
  ])
  const losers = names.filter((_, index) => answers[index]?.status !== 201)
  expect(losers).toHaveLength(9)
  for (const answer of answers.filter(({ status }) => status !== 201)) expectClosed(answer)
  const next = await makeInvitation(server)
  for (const name of losers) expect((await optionsFor(new Client(server), name, next)).status).toBe(200)
})

test('while sign-up is open an invitation changes nothing and is not used up, and a passkey asked for there is closed where people are invited', async ({
  server,
  switchTo,
}) => {
  const open = await switchTo('open', { RATE_LIMIT_ADDRESS_MAX: '100000' })
  const { invitation: used } = await invited(server)
  const good = await makeInvitation(server)
  for (const invitation of [undefined, 'nonsense', used, good]) {
    expect((await byPassword(new Client(open), randomName(), invitation)).status).toBe(201)
    expect((await byPasskey(new Client(open), randomName(), invitation as string)).status).toBe(201)
  }
  expect((await byPassword(new Client(server), randomName(), good)).status).toBe(201)
  const created = new Authenticator(server.origin).create(await registrationOptions(new Client(open), randomName()))
  expectClosed(await new Client(server).post('/api/auth/register/verify', created))
})

test('a passkey that was asked for with an invitation that expired meanwhile creates no account', async ({
  server,
}) => {
  const invitation = await makeInvitation(server)
  const ask = async () => (await optionsFor(new Client(server), randomName(), invitation)).body
  const verify = (options: Parameters<Authenticator['create']>[0]) =>
    new Client(server).post('/api/auth/register/verify', new Authenticator(server.origin).create(options))
  const options = await ask()
  const expired = await resign(tokenOf(options), server.secret, {
    claims: { invitation: { jti: decodeJwt(invitation).jti, exp: now() - 1 } },
  })
  expectClosed(await verify({ ...options, challenge: asChallenge(expired) }))
  expect((await verify(await ask())).status).toBe(201)
})
