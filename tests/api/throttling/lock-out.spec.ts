import { decodeJwt } from 'jose'
import {
  authenticate,
  changeUsername,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import type { Server, ServerOptions } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'
import type { HeldPasskey } from '../../support/webauthn/authenticator-data'

const HOUR = 3600
/** All its limits are those of one account. */
const FEWEST = { RATE_LIMIT_LOGIN_MAX: '1' }

/** Fails as a stranger until the account is over its limit. */
async function lock(stranger: Client, username: string) {
  for (let time = 0; time < 5; time += 1) await signInWithPassword(stranger, username, WRONG_PASSWORD)
  expectError(await signInWithPassword(stranger, username, WRONG_PASSWORD), 429, 'too_many_attempts')
}

test('browsers that signed in before "sign out everywhere" each keep attempts of their own @storage @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const [second, third] = [another(), another()]
  for (const browser of [second, third]) await signInWithPassword(browser, username)
  // Signed out, because a request with a session of the account would be one of the new epoch.
  await client.post('/api/i/signout-everywhere')
  await lock(another(), username)
  for (let time = 0; time < 5; time += 1)
    expectAuthenticationFailed(await signInWithPassword(second, username, WRONG_PASSWORD))
  expectError(await signInWithPassword(second, username), 429, 'too_many_attempts')
  expect((await signInWithPassword(third, username)).status).toBe(200)
})

test('a browser keeps its device token by signing in again, and has no further attempts for it', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const before = decodeJwt(client.jar.get('latchkey-device') ?? '')
  const copy = another()
  copy.jar.set('latchkey-device', client.jar.get('latchkey-device') ?? '')
  for (let time = 0; time < 3; time += 1)
    expectAuthenticationFailed(await signInWithPassword(copy, username, WRONG_PASSWORD))
  // A success with a passkey or code resets nothing of the browser's attempts.
  const [code] = await createRecoveryCodes(client)
  expect((await signInWithRecoveryCode(client, username, code)).status).toBe(200)
  expect(decodeJwt(client.jar.get('latchkey-device') ?? '').jti).toBe(before.jti)
  for (let time = 0; time < 2; time += 1)
    expectAuthenticationFailed(await signInWithPassword(client, username, WRONG_PASSWORD))
  expectError(await signInWithPassword(client, username), 429, 'too_many_attempts')
})

test('sign-ins are limited for each passkey, for recovery codes, for each known browser and for all others', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const [owner, authenticator] = [new Client(server), new Authenticator(server.origin)]
  const { username } = await signUp(owner)
  expect((await register(owner, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(owner)
  const known = new Client(server)
  expect((await signInWithPassword(known, username)).status).toBe(200)
  const ways = {
    newBrowser: () => signInWithPassword(new Client(server), username),
    knownBrowser: () => signInWithPassword(signedOutCopy(server, known), username),
    passkey: () => authenticate(new Client(server), authenticator),
  }
  for (const [way, signIn] of Object.entries(ways)) {
    // The known browser was a new one at first.
    const left = way === 'newBrowser' ? 11 : 12
    for (let time = 0; time < left - 3; time += 1) expect((await signIn()).status, way).toBe(200)
    if (way === 'passkey') {
      // Concurrent ones all count.
      const last = await Promise.all(Array.from({ length: 6 }, signIn))
      expect(last.filter(({ status }) => status === 200)).toHaveLength(3)
    } else for (let time = 0; time < 3; time += 1) expect((await signIn()).status, way).toBe(200)
    expectError(await signIn(), 429, 'too_many_attempts')
  }
  // What is wrong does not count, and the code that is right gets in.
  expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, 'AAAA-BBBB'))
  expect((await signInWithRecoveryCode(new Client(server), username, code)).status).toBe(200)
})

/** A browser that has signed in to the account, and out again. */
function signedOutCopy(server: Server, known: Client) {
  const copy = new Client(server)
  copy.jar.set('latchkey-device', known.jar.get('latchkey-device') ?? '')
  return copy
}

test('whoever signs in with the password until the limit keeps the owner with a passkey, a recovery code, a session or a known browser from nothing @promise', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const [owner, authenticator] = [new Client(server), new Authenticator(server.origin)]
  const { username } = await signUp(owner)
  expect((await register(owner, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(owner)
  const thieves = await thievesAtTheLimit(server, username)
  // Nor by what they do in a session: a wrong password, and all changes that each session may make.
  for (const thief of thieves) expectAuthenticationFailed(await signInWithPassword(thief, username, WRONG_PASSWORD))
  expect((await authenticate(new Client(server), authenticator)).status).toBe(200)
  expect((await signInWithRecoveryCode(new Client(server), username, code)).status).toBe(200)
  let password = PASSWORD
  for (const browser of [owner, signedOutCopy(server, owner)]) {
    const answer = await signInWithPassword(browser, username, password)
    expect(answer.status, answer.text).toBe(200)
    expect((await authenticate(browser, authenticator)).status).toBe(200)
    const change = { currentPassword: password, password: `another ${password}` }
    expect((await browser.post('/api/i/password', change)).status).toBe(200)
    password = change.password
  }
})

/** Sessions of somebody who knows the password: as many as it opens in new browsers. */
async function thievesAtTheLimit(server: Server, username: string): Promise<Client[]> {
  const thieves = []
  let answer: Answer
  do {
    const thief = new Client(server)
    answer = await signInWithPassword(thief, username)
    if (answer.status === 200) thieves.push(thief)
  } while (answer.status === 200)
  expectError(answer, 429, 'too_many_attempts')
  expect(thieves).toHaveLength(12)
  return thieves
}

test('a program whose session has no device token reauthenticates while strangers have locked the account', async ({
  server,
  client,
  another,
}) => {
  const { username, token } = await signUp(client)
  await lock(another(), username)
  const program = new Client(server, { headers: { Authorization: `Bearer ${token}` } })
  for (let time = 0; time < 4; time += 1)
    expectAuthenticationFailed(await signInWithPassword(program, username, WRONG_PASSWORD))
  expect((await signInWithPassword(program, username)).status).toBe(200)
})

test('reauthentications are limited for each session, whatever the credential', async ({ startShared }) => {
  const server = await startShared({ env: FEWEST })
  const [owner, authenticator] = [new Client(server), new Authenticator(server.origin)]
  const { username } = await signUp(owner)
  expect((await register(owner, authenticator)).status).toBe(201)
  for (let time = 0; time < 6; time += 1) {
    expect((await signInWithPassword(owner, username)).status).toBe(200)
    expect((await authenticate(owner, authenticator)).status).toBe(200)
  }
  expectError(await signInWithPassword(owner, username), 429, 'too_many_attempts')
  expectError(await authenticate(owner, authenticator), 429, 'too_many_attempts')
  expect((await authenticate(new Client(server), authenticator)).status).toBe(200)
})

test('writes of a session are limited, and those that fail do not count @storage @promise', async ({ startShared }) => {
  const server = await startShared({ env: FEWEST })
  const owner = new Client(server)
  await signUp(owner)
  const { username: taken } = await signUp(new Client(server))
  const rename = (username: string) => changeUsername(owner, username)
  for (let time = 0; time < 3; time += 1) expectError(await rename(taken), 409, 'username_taken')
  for (let time = 0; time < 6; time += 1) expect((await rename(randomName())).status).toBe(200)
  for (let time = 0; time < 6; time += 1) await createRecoveryCodes(owner)
  expectError(await rename(randomName()), 429, 'too_many_attempts')
  expectError(await owner.post('/api/i/recovery-codes'), 429, 'too_many_attempts')
  const change = { currentPassword: PASSWORD, password: 'another password' }
  expectError(await owner.post('/api/i/password', change), 429, 'too_many_attempts')
})

test('what other sessions have written keeps nobody from changing the password, after which all may be changed again', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const [owner, authenticator] = [new Client(server), new Authenticator(server.origin)]
  const { username } = await signUp(owner)
  const thieves = await Promise.all(Array.from({ length: 6 }, () => new Client(server)))
  for (const thief of thieves) expect((await signInWithPassword(thief, username)).status).toBe(200)
  const [first, ...others] = thieves as [Client, ...Client[]]
  const write = (thief: Client) => thief.post('/api/i/recovery-codes')
  // One session uses up nothing of another's, and all together have a limit, too.
  for (let time = 0; time < 12; time += 1) expect((await write(first)).status).toBe(201)
  expectError(await write(first), 429, 'too_many_attempts')
  await createRecoveryCodes(owner)
  const answers = await Promise.all(others.flatMap((thief) => Array.from({ length: 12 }, () => write(thief))))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(60 - 12 - 1)
  expectError(await owner.post('/api/i/recovery-codes'), 429, 'too_many_attempts')
  const change = { currentPassword: PASSWORD, password: 'another password' }
  expect((await owner.post('/api/i/password', change)).status).toBe(200)
  expect((await signInWithPassword(owner, username, 'another password')).status).toBe(200)
  await createRecoveryCodes(owner)
  expect((await register(owner, authenticator)).status).toBe(201)
})

test('what a session alone may change is limited apart, so that a copied one does not use up the changes of its owner', async ({
  startShared,
}) => {
  const server = await startShared({ env: FEWEST })
  const [owner, authenticator] = [new Client(server), new Authenticator(server.origin)]
  await signUpWithPasskey(owner, authenticator)
  const [{ id }] = authenticator.passkeys as [HeldPasskey]
  const rename = () => owner.post('/api/i/passkeys/rename', { id, name: randomName() })
  for (let time = 0; time < 12; time += 1) expect((await rename()).status).toBe(204)
  expectError(await rename(), 429, 'too_many_attempts')
  for (let time = 0; time < 12; time += 1) await createRecoveryCodes(owner)
  expectError(await owner.post('/api/i/recovery-codes'), 429, 'too_many_attempts')
})

/** Makes every refund, reset and end of a streak fail, as on a database that is busy for too long. */
const failSettlements = (server: Server) =>
  executeSql(
    `file:${server.database}`,
    `CREATE TRIGGER "refund" BEFORE UPDATE ON "RateLimit" WHEN NEW."count" < OLD."count"
       BEGIN SELECT RAISE(ABORT, 'planted'); END;
     CREATE TRIGGER "reset" BEFORE DELETE ON "RateLimit" BEGIN SELECT RAISE(ABORT, 'planted'); END;
     CREATE TRIGGER "end" BEFORE DELETE ON "FailureStreak" BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )

test('where no attempt can be settled, a session opens, a username changes, and a rejection keeps its own reason', async ({
  start,
}) => {
  const server = await start()
  const owner = new Client(server)
  const authenticator = new Authenticator(server.origin)
  const { username } = await signUp(owner)
  const { username: taken } = await signUp(new Client(server))
  await register(owner, authenticator)
  const [code] = await createRecoveryCodes(owner)
  await signInWithPassword(new Client(server), username, WRONG_PASSWORD)
  failSettlements(server)
  for (const signIn of [
    (browser: Client) => signInWithPassword(browser, username),
    (browser: Client) => authenticate(browser, authenticator),
    (browser: Client) => signInWithRecoveryCode(browser, username, code),
  ]) {
    const browser = new Client(server)
    const answer = await signIn(browser)
    expect(answer.status, answer.text).toBe(200)
    await expectSignedIn(browser)
  }
  expect(server.output()).toContain('could not settle an attempt')
  expectError(await changeUsername(owner, taken), 409, 'username_taken')
  expectAuthenticationFailed(await signInWithPassword(new Client(server), username, WRONG_PASSWORD))
  const next = randomName()
  expect((await changeUsername(owner, next)).status).toBe(200)
  expect((await expectSignedIn(owner)).username).toBe(next)
  expect((await eventsOf(owner))[0]?.type).toBe('username_changed')
})

test.describe('after a hundred failures in a row', () => {
  /** With short windows, so that only the limit per day can keep somebody out for long; no streak has begun. */
  async function withShortWindows(startShared: (options: ServerOptions) => Promise<Server>) {
    const env = { RATE_LIMIT_LOGIN_WINDOW: '1s', RATE_LIMIT_ADDRESS_MAX: '100000' }
    const server = await startShared({ clock: 'movable', env })
    executeSql(server.databaseUrl, 'DELETE FROM "FailureStreak"')
    return server
  }

  /** Sets the streak that the test has made. */
  function setStreak(server: Server, count: number) {
    executeSql(server.databaseUrl, `UPDATE "FailureStreak" SET "count" = ${count}`)
    expect(readSql(server.databaseUrl, 'SELECT "count" FROM "FailureStreak"')).toEqual([String(count)])
  }

  let ahead = 0
  /** An unknown browser, after all windows of those before it. */
  function laterBrowser(server: Server) {
    ahead += 3000
    return new Client(server, { headers: { 'X-Clock-Ahead': String(ahead) } })
  }

  /** Tries a wrong password in window after window until the answer says to wait for hours. */
  async function attemptsUntilNextDay(server: Server, username: string) {
    let attempts = 0
    for (;;) {
      const answer = await signInWithPassword(laterBrowser(server), username, WRONG_PASSWORD)
      if (answer.status === 429) {
        expect(answer.body.retryAfter).toBeGreaterThan(HOUR)
        return attempts
      }
      attempts += 1
      expect(attempts).toBeLessThan(10)
    }
  }

  for (const exists of [true, false]) {
    test(`after a hundred failures unknown browsers have five attempts a day at ${exists ? 'an account' : 'a name without account'} @promise`, async ({
      startShared,
    }) => {
      const server = await withShortWindows(startShared)
      const username = randomName()
      if (exists) await signUp(new Client(server), username)
      expectAuthenticationFailed(await signInWithPassword(laterBrowser(server), username, WRONG_PASSWORD))
      setStreak(server, 99)
      // The hundredth is still one of the window.
      expect(await attemptsUntilNextDay(server, username)).toBe(6)
    })
  }

  test('after a hundred failures the right password in an unknown browser signs in, and does not end the streak @promise', async ({
    startShared,
  }) => {
    const server = await withShortWindows(startShared)
    const { username } = await signUp(new Client(server))
    await signInWithPassword(laterBrowser(server), username, WRONG_PASSWORD)
    setStreak(server, 100)
    const statusOfRight = async () => (await signInWithPassword(laterBrowser(server), username)).status
    for (let time = 0; time < 3; time += 1) expect(await statusOfRight()).toBe(200)
    expect(await attemptsUntilNextDay(server, username)).toBe(5)
    expect(await statusOfRight()).toBe(429)
  })

  test('after a hundred failures the owner signs in with a known browser, a passkey or a recovery code, which ends the streak', async ({
    startShared,
  }) => {
    const server = await withShortWindows(startShared)
    const owner = new Client(server)
    const authenticator = new Authenticator(server.origin)
    const { username } = await signUp(owner)
    await register(owner, authenticator)
    const [code] = await createRecoveryCodes(owner)
    for (const signIn of [
      () => signInWithPassword(owner, username),
      () => authenticate(new Client(server), authenticator),
      () => signInWithRecoveryCode(new Client(server), username, code),
    ]) {
      await signInWithPassword(laterBrowser(server), username, WRONG_PASSWORD)
      setStreak(server, 100)
      await attemptsUntilNextDay(server, username)
      const answer = await signIn()
      expect(answer.status, answer.text).toBe(200)
      expect((await signInWithPassword(laterBrowser(server), username)).status).toBe(200)
    }
  })

  test('a known browser counts as unknown after a hundred failures, and after ten if it is of an earlier epoch, until it has the password right @promise', async ({
    startShared,
  }) => {
    const server = await withShortWindows(startShared)
    const owner = new Client(server)
    const { username } = await signUp(owner)
    const fail = async () => expectAuthenticationFailed(await signInWithPassword(owner, username, WRONG_PASSWORD))
    const counts = () => readSql(server.databaseUrl, 'SELECT "count" FROM "FailureStreak" ORDER BY "count"').map(Number)
    await fail()
    setStreak(server, 100)
    // Now its failures count for the username.
    await fail()
    expect(counts()).toEqual([1, 100])
    expect((await signInWithPassword(owner, username)).status).toBe(200)
    expect(counts()).toEqual([1])
    executeSql(server.databaseUrl, 'DELETE FROM "FailureStreak"')
    // A thief may hold many of an earlier epoch.
    await owner.post('/api/i/signout-everywhere')
    await fail()
    setStreak(server, 10)
    await fail()
    expect(counts()).toEqual([1, 10])
  })
})
