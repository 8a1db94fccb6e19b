import {
  authenticate,
  authenticationOptions,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { exchange, rawRequest, sendAndReset, statusOf } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

/** A server behind a proxy, which lets three attempts through from each address. Each test comes from its own addresses. */
const test = base.extend<{ behindProxy: Server }>({
  behindProxy: async ({ startShared }, use) =>
    use(await startShared({ env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '3' } })),
})

/** A client whose requests the proxy passes on with this header. */
function from(server: Server, forwarded: string): Client {
  return new Client(server, { headers: { 'X-Forwarded-For': forwarded } })
}

/** A raw request with a wrong password for a username never tried before. */
function passwordAttempt(headers: Record<string, string>): string {
  const body = JSON.stringify({ username: randomName(), password: WRONG_PASSWORD })
  return rawRequest('POST', '/api/signin', { 'Content-Type': 'application/json', ...headers }, body)
}

/** The status of a wrong password for a username never tried before: only the address can be over its limit. */
async function tryPassword(client: Client): Promise<number> {
  return (await signInWithPassword(client, randomName(), WRONG_PASSWORD)).status
}

/** Tries a wrong password from each address in turn, and returns the statuses. */
async function tryPasswords(server: Server, addresses: string[]): Promise<number[]> {
  const statuses = []
  for (const address of addresses) statuses.push(await tryPassword(from(server, address)))
  return statuses
}

test('successful passkey sign-ins never use up the address limit @promise', async ({ behindProxy: server }) => {
  const authenticator = new Authenticator(server.origin)
  await signUpWithPasskey(from(server, '198.51.100.70'), authenticator)
  for (let time = 0; time < 12; time += 1) {
    const answer = await authenticate(from(server, '198.51.100.71'), authenticator)
    expect(answer.status, `${time}: ${answer.text}`).toBe(200)
  }
})

test('a successful password sign-in refunds the attempt it took from the address limit', async ({
  behindProxy: server,
}) => {
  const { username } = await signUp(from(server, '198.51.100.60'))
  for (let time = 0; time < 8; time += 1) {
    expect((await signInWithPassword(from(server, '198.51.100.61'), username)).status).toBe(200)
  }
  expect(await tryPasswords(server, Array(4).fill('198.51.100.61'))).toEqual([401, 401, 401, 429])
})

test.describe('the address of a client', () => {
  test('a direct client cannot escape its address limit by sending X-Forwarded-For @promise', async ({ start }) => {
    const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '20' } })
    const attempts = Array.from({ length: 26 }, (_, index) => () => tryPassword(from(server, `203.0.113.${index}`)))
    const statuses: number[] = []
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let attempt = attempts.pop(); attempt; attempt = attempts.pop()) statuses.push(await attempt())
      }),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(6)
    // The log names the header once, in case TRUSTED_PROXIES was forgotten.
    const lines = server
      .output()
      .split('\n')
      .filter((line) => /TRUSTED_PROXIES|X-Forwarded-For/i.test(line))
    expect(lines).toHaveLength(1)
  })

  test('the client address is the one that the trusted proxy appended', async ({ behindProxy: server }) => {
    const forged = ['1.1.1.1, 198.51.100.1', '2.2.2.2, 198.51.100.1', '198.51.100.1', '9.9.9.9, 8.8.8.8,198.51.100.1']
    expect(await tryPasswords(server, forged)).toEqual([401, 401, 401, 429])
    expect(await tryPasswords(server, ['198.51.100.1, 198.51.100.2'])).toEqual([401])
    const noAddress = ['unknown, 198.51.100.3', 'garbage, 198.51.100.3', '198.51.100.3', '<script>, 198.51.100.3']
    expect(await tryPasswords(server, noAddress)).toEqual([401, 401, 401, 429])
  })

  test('an entry that is no address counts at its position, so that a forged one does not take its place', async ({
    behindProxy: server,
  }) => {
    const forged = ['198.51.100.90', '198.51.100.91', '198.51.100.92', '198.51.100.93']
    const statuses = await tryPasswords(
      server,
      forged.map((address) => `${address}, not an address`),
    )
    expect(statuses).toEqual([401, 401, 401, 429])
    expect(await tryPasswords(server, forged)).toEqual([401, 401, 401, 401])
  })

  test('a request whose connection was reset cannot choose the address that its attempt counts for', async ({
    start,
  }) => {
    const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } })
    // While the process stands still, the kernel accepts connections, and their reset is known before Node asks who they are.
    void server.kill('SIGSTOP')
    for (let time = 0; time < 3; time += 1)
      await sendAndReset(server.port, passwordAttempt({ 'X-Forwarded-For': '127.0.0.2' }))
    void server.kill('SIGCONT')
    const statuses = []
    for (let time = 0; time < 4; time += 1) {
      statuses.push(statusOf(await exchange(server.port, passwordAttempt({}), { localAddress: '127.0.0.2' })))
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })

  test('an IPv6 address is limited by its /64, and an IPv4-mapped address as IPv4 @promise', async ({
    behindProxy: server,
  }) => {
    const one = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:0:0:0:5', '2001:db8:1:2::abcd']
    expect(await tryPasswords(server, one)).toEqual([401, 401, 401, 429])
    expect(await tryPasswords(server, ['2001:db8:1:3::1'])).toEqual([401])
    const mapped = ['::ffff:198.51.100.9', '198.51.100.9', '::ffff:c633:6409', '198.51.100.9']
    expect(await tryPasswords(server, mapped)).toEqual([401, 401, 401, 429])
    expect(await tryPasswords(server, ['::ffff:198.51.100.10'])).toEqual([401])
  })
})

test('an address past its limit writes nothing under new usernames or challenges, nor a /48 past its limit under new addresses', async ({
  start,
}) => {
  const server = await start({ env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '1' } })
  const addresses = Array.from({ length: 15 }, (_, index) => `2001:db8:48:${index}::1`)
  expect((await tryPasswords(server, addresses)).filter((status) => status === 401)).toHaveLength(10)
  expect(await tryPasswords(server, Array(5).fill('198.51.100.1'))).toEqual([401, 429, 429, 429, 429])
  const rows = (sql: string) => Number(readSql(server.databaseUrl, `SELECT COUNT(*) FROM ${sql}`)[0])
  expect(rows(`"RateLimit" WHERE "key" LIKE 'password:%'`)).toBe(11)
  expect(rows('"FailureStreak"')).toBe(11)
  expect(rows(`"RateLimit" WHERE "key" LIKE 'address:%'`)).toBe(11)

  const [authenticator, client] = [new Authenticator(server.origin), from(server, '198.51.100.2')]
  await signUpWithPasskey(from(server, '198.51.100.3'), authenticator)
  expect(await tryPasskey(client, authenticator)).toBe(401)
  const before = rows('"ConsumedToken"')
  for (let time = 0; time < 3; time += 1) expect(await tryPasskey(client, authenticator)).toBe(429)
  expect(rows('"ConsumedToken"')).toBe(before)
})

test('the addresses of an IPv6 /48 may fail ten times as often together, and no other network counts @promise', async ({
  behindProxy: server,
}) => {
  const addresses = Array.from({ length: 30 }, (_, index) => `2001:db8:48:${index.toString(16)}::1`)
  expect(await tryPasswords(server, addresses)).toEqual(Array(30).fill(401))
  expect(await tryPasswords(server, ['2001:db8:48:ffff::1', '2001:db8:49::1'])).toEqual([429, 401])
  // A success is refunded to the /48 as well.
  const { username } = await signUp(from(server, '2001:db8:4a::1'))
  for (let time = 0; time < 31; time += 1) {
    const client = from(server, `2001:db8:4a:${(time % 2) + 1}::1`)
    expect((await signInWithPassword(client, username)).status).toBe(200)
  }
})

test.describe('what counts towards an address limit', () => {
  test('sign-ups and answers that a username is taken count towards the address limit', async ({
    behindProxy: server,
  }) => {
    const { username } = await signUp(from(server, '198.51.100.20'))
    const body = { username, password: PASSWORD }
    const [maker, teller, asker] = ['198.51.100.21', '198.51.100.22', '198.51.100.23'].map((ip) => from(server, ip))
    if (!maker || !teller || !asker) throw new Error('There are three clients.')
    for (let time = 0; time < 3; time += 1) {
      await signUp(from(server, '198.51.100.21'))
      expectError(await teller.post('/api/signup', body), 409, 'username_taken')
      expectError(await asker.post('/api/auth/register/options', { username }), 409, 'username_taken')
    }
    const fresh = { username: randomName(), password: PASSWORD }
    expectError(await maker.post('/api/signup', fresh), 429, 'too_many_attempts')
    expectError(await teller.post('/api/signup', body), 429, 'too_many_attempts')
    expectError(await asker.post('/api/auth/register/options', { username }), 429, 'too_many_attempts')
    expect(await tryPasswords(server, ['198.51.100.22', '198.51.100.23'])).toEqual([429, 429])
  })

  test('accounts created with a passkey count towards the address limit', async ({ behindProxy: server }) => {
    const authenticator = new Authenticator(server.origin)
    const statuses = []
    for (let time = 0; time < 4; time += 1) {
      const options = await registrationOptions(from(server, '198.51.100.31'), randomName())
      const client = from(server, '198.51.100.30')
      statuses.push((await client.post('/api/auth/register/verify', authenticator.create(options))).status)
    }
    expect(statuses).toEqual([201, 201, 201, 429])
  })

  test('a check of a username that fails does not count, and an account does although no session could be opened for it', async ({
    start,
  }) => {
    const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } })
    const ask = async () =>
      (await new Client(server).post('/api/auth/register/options', { username: randomName() })).status
    const rename = (from: string, to: string) =>
      executeSql(server.databaseUrl, `ALTER TABLE "${from}" RENAME TO "${to}"`)
    rename('RetiredUsername', 'Elsewhere')
    for (let time = 0; time < 4; time += 1) expect(await ask()).toBe(500)
    rename('Elsewhere', 'RetiredUsername')
    expect(await ask()).toBe(200)
    rename('Session', 'Elsewhere')
    const statuses = []
    for (let time = 0; time < 4; time += 1) {
      const answer = await new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([500, 500, 500, 429])
  })
})

/** The status of a response with a wrong signature. */
async function tryPasskey(client: Client, authenticator: Authenticator): Promise<number> {
  const corrupted = authenticator.get(await authenticationOptions(client), { corruptSignature: true })
  return (await client.post('/api/auth/login/verify', corrupted)).status
}

test('failed passkeys have an address limit of their own, past which a right one signs in, steps up and adds another', async ({
  behindProxy: server,
}) => {
  const [authenticator, owner] = [new Authenticator(server.origin), from(server, '198.51.100.100')]
  await signUpWithPasskey(owner, authenticator)
  const visitor = from(server, '198.51.100.100')
  const statuses = []
  for (let time = 0; time < 4; time += 1) statuses.push(await tryPasskey(visitor, authenticator))
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await tryPasswords(server, ['198.51.100.100'])).toEqual([401])
  expect((await authenticate(visitor, authenticator)).status).toBe(200)
  expect((await authenticate(owner, authenticator)).status).toBe(200)
  expect((await register(owner, new Authenticator(server.origin))).status).toBe(201)
  expect(await tryPasskey(from(server, '198.51.100.100'), authenticator)).toBe(429)
})

test('of concurrent passkey responses from one address each wrong one counts, and no right one @storage @promise', async ({
  behindProxy: server,
}) => {
  const authenticator = new Authenticator(server.origin)
  await signUpWithPasskey(from(server, '198.51.100.101'), authenticator)
  const visitors = Array.from({ length: 16 }, () => from(server, '198.51.100.102'))
  const options = await Promise.all(visitors.map((visitor) => authenticationOptions(visitor)))
  const responses = options.map((one, index) => authenticator.get(one, { corruptSignature: index % 4 > 0 }))
  const answers = await Promise.all(
    responses.map((response, index) => visitors[index]?.post('/api/auth/login/verify', response)),
  )
  const statuses = answers.map((answer) => answer?.status).sort()
  expect(statuses).toEqual([...Array(4).fill(200), ...Array(3).fill(401), ...Array(9).fill(429)])
})

test('an address past its limit cannot lock an account, whose known device signs in from there, to that account only', async ({
  behindProxy: server,
}) => {
  const known = from(server, '198.51.100.50')
  const { username } = await signUp(known)
  expect(await tryPasswords(server, Array(4).fill('198.51.100.51'))).toEqual([401, 401, 401, 429])
  const stranger = from(server, '198.51.100.51')
  for (let time = 0; time < 6; time += 1)
    expectError(await signInWithPassword(stranger, username), 429, 'too_many_attempts')
  expect((await signInWithPassword(from(server, '198.51.100.52'), username)).status).toBe(200)
  stranger.jar.set('latchkey-device', known.jar.get('latchkey-device') ?? '')
  expect((await signInWithPassword(stranger, username)).status).toBe(200)
  expect((await signInWithPassword(stranger, randomName(), WRONG_PASSWORD)).status).toBe(429)
})

test('Next served without server.ts warns that it knows no client address', { tag: '@pages' }, async ({ start }) => {
  const [node, next] = [await start(), await start({ mode: 'next' })]
  expect(next.output()).toMatch(/client address/)
  expect(node.output()).not.toMatch(/client address/)
})
