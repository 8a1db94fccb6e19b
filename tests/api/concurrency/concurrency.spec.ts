import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  authenticationOptions,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { JWT_SECRET } from '../../support/secret'
import { Authenticator } from '../../support/webauthn/authenticator'

test('six concurrent sign-ups with one username create one account @storage @promise', async ({ another }) => {
  const username = randomName()
  const attempts = Array.from({ length: 6 }, (_, index) => {
    const name = index % 2 === 0 ? username : username.toUpperCase()
    return another().post('/api/signup', { username: name, password: `password number ${index}` })
  })
  const answers = await Promise.all(attempts)
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)])
  const winner = answers.findIndex(({ status }) => status === 201)
  const right = await signInWithPassword(another(), username, `password number ${winner}`)
  expect(right.status, right.text).toBe(200)
  expect(right.body.user).toEqual(answers[winner]?.body.user)
})

test('ten passkey and four password sign-ups with one username at once create one account @storage', async ({
  client,
  another,
  authenticator,
}) => {
  const username = randomName()
  const options = await Promise.all(Array.from({ length: 10 }, () => registrationOptions(client, username)))
  const answers = await Promise.all([
    ...options.map((each) => another().post('/api/auth/register/verify', authenticator.create(each))),
    ...Array.from({ length: 4 }, () => another().post('/api/signup', { username, password: PASSWORD })),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(13).fill(409)])
})

test('registering one passkey under twenty usernames at once creates one account and frees the other usernames @storage', async ({
  client,
  another,
  authenticator,
}) => {
  const names = Array.from({ length: 20 }, () => randomName())
  const options = await Promise.all(names.map((name) => registrationOptions(client, name)))
  const id = Buffer.from(randomName()).toString('base64url')
  const answers = await Promise.all(
    options.map((each) => another().post('/api/auth/register/verify', authenticator.create(each, { id }))),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  const losers = names.filter((_, index) => answers[index]?.status === 409)
  // A sample, because each takes a hash.
  await Promise.all(losers.slice(0, 4).map((name) => signUp(another(), name)))
})

// tests/unit/passwords/hash-queue.spec.ts fills the same queue without a hash; this one takes 130 hashes of the real cost.
test('a password sign-in beyond the hash queue is answered 503 long before its turn', {
  tag: '@long',
}, async ({ start }) => {
  test.slow()
  const server = await start({ env: { BCRYPT_COST: '10', RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const attempts = Array.from({ length: 64 * availableParallelism() + 60 }, async () => {
    const begun = Date.now()
    return { ...(await signInWithPassword(new Client(server), randomName())), time: Date.now() - begun }
  })
  const answers = await Promise.all(attempts)
  const rejected = answers.filter(({ status }) => status === 503)
  expect(rejected.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(64)
  expect(answers.every(({ status }) => status === 401 || status === 503)).toBe(true)
  for (const answer of rejected) {
    expect(answer.body.code).toBe('unavailable')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  const slowest = Math.max(...answers.map(({ time }) => time))
  expect(Math.min(...rejected.map(({ time }) => time))).toBeLessThan(slowest / 2)
})

test('two servers on one database share accounts, sessions and rate limits @storage @promise', async ({ start }) => {
  const one = await start()
  const two = await start({ beside: one })
  const names = Array.from({ length: 4 }, () => randomName())
  const clients = names.map((_, index) => new Client(index % 2 === 0 ? one : two))
  const made = await Promise.all(clients.map((client, index) => signUp(client, names[index])))
  for (const [index, { token, username }] of made.entries()) {
    const across = index % 2 === 0 ? two : one
    await expectSignedIn(new Client(across, { bearer: token }))
    expect((await signInWithPassword(new Client(across), username)).status).toBe(200)
    await clients[index]?.post('/api/signout')
    await expectSignedOut(new Client(across, { bearer: token }))
  }
  const victim = made[0]?.username ?? ''
  const attempts = Array.from({ length: 20 }, (_, index) =>
    signInWithPassword(new Client(index % 2 === 0 ? one : two), victim, 'wrong password'),
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
})

test('two servers on one database share challenges, which are consumed for both @storage', async ({ start }) => {
  const one = await start()
  const two = await start({ beside: one, env: { APP_ORIGIN: one.origin } })
  const authenticator = new Authenticator(one.origin)
  const client = new Client(one)
  await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const assertion = authenticator.get(await authenticationOptions(new Client(one)))
  expect((await new Client(two).post('/api/auth/login/verify', assertion)).status).toBe(200)
  for (const server of [one, two])
    expect((await new Client(server).post('/api/auth/login/verify', assertion)).status).toBe(401)
})

test('two servers that start at once on an empty database both come up @storage', async ({ start, emptyStores }) => {
  const file = join(temporaryFolder('two-servers'), 'latchkey.db')
  const env = { DATABASE_URL: `file:${file}`, ...emptyStores(), JWT_SECRET }
  const [one, two] = await Promise.all([start({ env }), start({ env })])
  const { username } = await signUp(new Client(one))
  expect((await signInWithPassword(new Client(two), username)).status).toBe(200)
})
