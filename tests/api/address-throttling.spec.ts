import {
  authenticate,
  authenticationOptions,
  PASSWORD,
  randomName,
  registrationOptions,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { Client } from '../support/client'
import { expectError } from '../support/expectations'
import { expect, test } from '../support/fixtures'
import type { Server } from '../support/server'

const WRONG = 'a wrong password'
const BEHIND_PROXY = { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '3' }

/** A client whose request a proxy of ours has passed on, with this header. */
function from(server: Server, forwarded: string): Client {
  return new Client(server, { headers: { 'X-Forwarded-For': forwarded } })
}

/** The status of a guess at an account of a new name: only the address can be too much then. */
async function tryPassword(client: Client): Promise<number> {
  return (await signInWithPassword(client, randomName(), WRONG)).status
}

/** Guesses from these addresses in turn, and gives the statuses. */
async function tryPasswords(server: Server, addresses: string[]): Promise<number[]> {
  const statuses = []
  for (const address of addresses) statuses.push(await tryPassword(from(server, address)))
  return statuses
}

test('130 names from one address stop at 100, whatever X-Forwarded-For says', async ({ start }) => {
  const server = await start()
  const attempts = Array.from({ length: 130 }, (_, index) => () => tryPassword(from(server, `203.0.113.${index}`)))
  const statuses: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let attempt = attempts.pop(); attempt; attempt = attempts.pop()) statuses.push(await attempt())
    }),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
  // The log tells of the header once, since somebody may have forgotten the setting.
  const told = server
    .output()
    .split('\n')
    .filter((line) => /TRUSTED_PROXIES|X-Forwarded-For/i.test(line))
  expect(told).toHaveLength(1)
})

test('150 good passkey sign-ins from one address all pass', async ({ start }) => {
  const server = await start()
  const authenticator = new Authenticator(server.origin)
  await signUpWithPasskey(new Client(server), authenticator)
  for (let time = 0; time < 150; time += 1) {
    const answer = await authenticate(new Client(server), authenticator)
    expect(answer.status, `${time}: ${answer.text}`).toBe(200)
  }
})

test('a good password gives back what it counted on the address', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const { username } = await signUp(from(server, '198.51.100.60'))
  for (let time = 0; time < 8; time += 1) {
    expect((await signInWithPassword(from(server, '198.51.100.61'), username)).status).toBe(200)
  }
  expect(await tryPasswords(server, Array(4).fill('198.51.100.61'))).toEqual([401, 401, 401, 429])
})

test('the client is the entry that our proxy appended', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const forged = ['1.1.1.1, 198.51.100.1', '2.2.2.2, 198.51.100.1', '198.51.100.1', '9.9.9.9, 8.8.8.8,198.51.100.1']
  expect(await tryPasswords(server, forged)).toEqual([401, 401, 401, 429])
  expect(await tryPasswords(server, ['198.51.100.1, 198.51.100.2'])).toEqual([401])
  const noAddress = ['unknown, 198.51.100.3', 'garbage, 198.51.100.3', '198.51.100.3', '<script>, 198.51.100.3']
  expect(await tryPasswords(server, noAddress)).toEqual([401, 401, 401, 429])
})

test('an IPv6 address is counted by its /64, and a mapped IPv4 address as IPv4', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const one = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:0:0:0:5', '2001:db8:1:2::abcd']
  expect(await tryPasswords(server, one)).toEqual([401, 401, 401, 429])
  expect(await tryPasswords(server, ['2001:db8:1:3::1'])).toEqual([401])
  const mapped = ['::ffff:198.51.100.9', '198.51.100.9', '::ffff:c633:6409', '198.51.100.9']
  expect(await tryPasswords(server, mapped)).toEqual([401, 401, 401, 429])
  expect(await tryPasswords(server, ['::ffff:198.51.100.10'])).toEqual([401])
})

test('accounts made and taken names told count on the address', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const { username } = await signUp(from(server, '198.51.100.20'))
  const body = { username, password: PASSWORD }
  const [maker, teller, asker] = ['198.51.100.21', '198.51.100.22', '198.51.100.23'].map((ip) => from(server, ip))
  if (!maker || !teller || !asker) throw new Error('three clients')
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

test('accounts made by passkey count on the address', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const authenticator = new Authenticator(server.origin)
  const statuses = []
  for (let time = 0; time < 4; time += 1) {
    const options = await registrationOptions(from(server, '198.51.100.3'), randomName())
    const client = from(server, '198.51.100.30')
    statuses.push((await client.post('/api/auth/register/verify', authenticator.create(options))).status)
  }
  expect(statuses).toEqual([201, 201, 201, 429])
})

test('failed passkey sign-ins have an address quota of their own', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const authenticator = new Authenticator(server.origin)
  await signUpWithPasskey(from(server, '198.51.100.40'), authenticator)
  const statuses = []
  for (let time = 0; time < 4; time += 1) {
    const options = await authenticationOptions(from(server, '198.51.100.41'))
    const corrupted = authenticator.get(options, { corruptSignature: true })
    statuses.push((await from(server, '198.51.100.41').post('/api/auth/login/verify', corrupted)).status)
  }
  expect(statuses).toEqual([401, 401, 401, 429])
  expect(await tryPasswords(server, ['198.51.100.41'])).toEqual([401])
  expect((await authenticate(from(server, '198.51.100.42'), authenticator)).status).toBe(200)
})

test("a known device gets in from an address that is too much, and strangers' names do not", async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const known = from(server, '198.51.100.50')
  const { username } = await signUp(known)
  expect(await tryPasswords(server, Array(4).fill('198.51.100.51'))).toEqual([401, 401, 401, 429])
  const stranger = from(server, '198.51.100.51')
  expectError(await signInWithPassword(stranger, username), 429, 'too_many_attempts')
  stranger.jar.set('device', known.jar.get('device') ?? '')
  expect((await signInWithPassword(stranger, username)).status).toBe(200)
  expect((await signInWithPassword(stranger, randomName(), WRONG)).status).toBe(429)
})

test('an address past its limit cannot lock an account', async ({ start }) => {
  const server = await start({ env: BEHIND_PROXY })
  const { username } = await signUp(from(server, '198.51.100.60'))
  expect(await tryPasswords(server, Array(4).fill('198.51.100.61'))).toEqual([401, 401, 401, 429])
  const attacker = from(server, '198.51.100.61')
  for (let i = 0; i < 6; i++) expect((await signInWithPassword(attacker, username, WRONG)).status).toBe(429)
  expect((await signInWithPassword(from(server, '198.51.100.62'), username)).status).toBe(200)
})

test('the start says where no client address is known, and only there', async ({ start }) => {
  const [node, next] = [await start(), await start({ mode: 'next' })]
  expect(next.output()).toContain('no client address is known')
  expect(node.output()).not.toContain('no client address is known')
})
