import { randomName, signInWithPassword, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectNoSession } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { resign } from '../../support/tokens/tokens'

function expectLocked(answer: Answer, windowSeconds = 900) {
  expectError(answer, 429, 'too_many_attempts')
  expectNoSession(answer)
  expect(answer.body.retryAfter).toBeGreaterThan(0)
  expect(answer.body.retryAfter).toBeLessThanOrEqual(2 * windowSeconds)
  expect(Number.isInteger(answer.body.retryAfter)).toBe(true)
  expect(answer.headers['retry-after']).toBe(String(answer.body.retryAfter))
}

/** Fails until the account is over its limit. */
async function lock(client: Client, username: string) {
  for (let time = 0; time < 5; time += 1)
    expectAuthenticationFailed(await signInWithPassword(client, username, WRONG_PASSWORD))
  expectLocked(await signInWithPassword(client, username, WRONG_PASSWORD))
}

for (const [who, exists] of [
  ['a known username', true],
  ['an unknown username', false],
] as const) {
  const tag = exists ? ['@storage', '@promise'] : []
  test(`of thirty concurrent password attempts on ${who} five are checked`, { tag }, async ({ client, another }) => {
    const username = randomName()
    if (exists) await signUp(client, username)
    // The case of a username must not multiply the attempts.
    const names = [username, username.toUpperCase()]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        signInWithPassword(another(), names[index % 2] ?? username, WRONG_PASSWORD),
      ),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    // On a busy machine some may wait too long for their hash; what is rejected for that is not counted.
    expect(count(401)).toBeLessThanOrEqual(5)
    expect(count(401) + count(429) + count(503)).toBe(30)
    if (count(503) === 0) expect(count(401)).toBe(5)
    for (const answer of answers) {
      if (answer.status === 429) expectLocked(answer)
      if (answer.status === 401) expectAuthenticationFailed(answer)
    }
  })
}

test("a known device has its own limit, separate from the account's", async ({ client, another }) => {
  const { username } = await signUp(client)
  await lock(client, username)
  expect((await signInWithPassword(another(), username)).status).toBe(200)
})

test('a device cookie of one account has no effect on another @promise', async ({ client, another }) => {
  const { username: mine } = await signUp(client)
  const { username: theirs } = await signUp(another())
  await lock(another(), theirs)
  expectLocked(await signInWithPassword(client, theirs))
  // Nor does it add attempts on another account.
  const { username: fresh } = await signUp(another())
  await lock(client, fresh)
  expectLocked(await signInWithPassword(another(), fresh))
  expect((await signInWithPassword(client, mine)).status).toBe(200)
})

test('a forged device token has no effect', async ({ client, another, server }) => {
  const { username, token } = await signUp(client)
  const device = client.jar.get('latchkey-device') ?? ''
  await lock(another(), username)
  const useless = [
    'nonsense',
    token,
    await resign(device, server.secret, { secret: 'x'.repeat(64) }),
    await resign(device, server.secret, { keyOf: 'session' }),
    await resign(device, server.secret, { header: { typ: 'session+jwt' } }),
    await resign(device, server.secret, { claims: { exp: 1_000_000_000 } }),
    await resign(device, server.secret, { claims: { sub: 'another account' } }),
  ]
  for (const value of useless) {
    const visitor = another()
    visitor.jar.set('latchkey-device', value)
    expectLocked(await signInWithPassword(visitor, username))
  }
  const valid = another()
  valid.jar.set('latchkey-device', await resign(device, server.secret))
  expect((await signInWithPassword(valid, username)).status).toBe(200)
})

test('settings determine the number of attempts and the window after which they are allowed again, also over a restart', async ({
  start,
}) => {
  const env = { RATE_LIMIT_LOGIN_MAX: '2', RATE_LIMIT_LOGIN_WINDOW: '1h' }
  const server = await start({ clock: 'movable', env })
  const { username } = await signUp(new Client(server))
  for (let time = 0; time < 2; time += 1)
    expectAuthenticationFailed(await signInWithPassword(new Client(server), username, WRONG_PASSWORD))
  await server.restart()
  expectLocked(await signInWithPassword(new Client(server), username), 3600)
  const afterTwoWindows = new Client(server, { headers: { 'X-Clock-Ahead': String(2 * 3_600_000) } })
  expect((await signInWithPassword(afterTwoWindows, username)).status).toBe(200)
})
