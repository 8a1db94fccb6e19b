import { decodeJwt } from 'jose'
import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  NEW_PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { executeSql, readSql } from '../../support/storage/sql'
import { ageSession } from '../../support/tokens/tokens'

const DAY = 86_400_000
const STORAGE = '"storage"'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

interface Listed {
  id: string
  method: string
  browser: string | null
  at: string
  expiresAt: string
  lastActiveAt: string
  current: boolean
}

async function sessionsOf(client: Client): Promise<Listed[]> {
  const answer = await client.post('/api/i/sessions')
  expect(answer.status, answer.text).toBe(200)
  return answer.body.sessions
}

const revoke = (client: Client, id: string | undefined) => client.post('/api/i/sessions/revoke', { id })

test('the list shows every valid session of the account with its method and browser, and marks the one that asks', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  await signUp(another())
  const byPasskey = another({ headers: { 'User-Agent': FIREFOX } })
  expect((await authenticate(byPasskey, authenticator)).status).toBe(200)
  const byCode = another()
  expect((await signInWithRecoveryCode(byCode, username, code)).status).toBe(200)
  const sessions = await sessionsOf(byPasskey)
  expect(sessions.map(({ method, current }) => [method, current]).sort()).toEqual([
    ['passkey', true],
    ['pwd', false],
    ['recovery', false],
  ])
  const own = sessions.find(({ current }) => current)
  expect(own).toMatchObject({
    browser: 'Firefox on Linux',
    expiresAt: (await expectSignedIn(byPasskey)).session.expiresAt,
  })
  expect(Math.abs(Date.parse(own?.at ?? '') - Date.now())).toBeLessThan(60_000)
})

test('reauthenticating replaces the session in the list', async ({ client }) => {
  const { username } = await signUp(client)
  const [before] = await sessionsOf(client)
  expect((await signInWithPassword(client, username)).status).toBe(200)
  const after = await sessionsOf(client)
  expect(after).toHaveLength(1)
  expect(after[0]?.id).not.toBe(before?.id)
})

test('an account keeps a thousand sessions, and each sign-in beyond ends the oldest @promise', async ({
  client,
  another,
  server,
}) => {
  const { username } = await signUp(client)
  const [oldest] = await sessionsOf(client)
  executeSql(
    server.databaseUrl,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 998)
     INSERT INTO "Session" ("id", "userId", "epoch", "method", "openedAt", "expiresAt")
     SELECT '${oldest?.id.slice(4)}' || (1000 + i), "userId", "epoch", "method", "openedAt" + i, "expiresAt"
     FROM "Session", n WHERE "id" = '${oldest?.id}'`,
  )
  await signInWithPassword(another(), username)
  await expectSignedIn(client)
  await signInWithPassword(another(), username)
  await expectSignedOut(client)
})

test('the list of more than 200 sessions has the newest and the current one, and one that is not listed can be ended', async ({
  client,
  another,
  server,
}) => {
  const { username } = await signUp(client)
  const [oldest] = await sessionsOf(client)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  executeSql(
    server.databaseUrl,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 210)
     INSERT INTO "Session" ("id", "userId", "epoch", "method", "openedAt", "expiresAt")
     SELECT '${oldest?.id.slice(4)}' || (1000 + i), "userId", "epoch", "method", "openedAt" + 60000 * i, "expiresAt"
     FROM "Session", n WHERE "id" = '${oldest?.id}'`,
  )
  const listed = await sessionsOf(client)
  expect(listed).toHaveLength(200)
  expect(listed.at(-1)).toMatchObject({ id: oldest?.id, current: true })
  const times = listed.map(({ at }) => at)
  expect(times).toEqual(times.toSorted().reverse())
  const unlisted = `${oldest?.id.slice(4)}1001`
  expect(listed.map(({ id }) => id)).not.toContain(unlisted)
  expect((await revoke(client, unlisted)).status).toBe(204)
  expectError(await revoke(client, unlisted), 404, 'not_found')
})

test("another account's session cannot be ended @promise", async ({ client, another }) => {
  const victim = another()
  await signUp(victim)
  await signUp(client)
  const [theirs] = await sessionsOf(victim)
  for (const id of [theirs?.id, 'AAAAAAAAAAAAAAAAAAAAAA']) expectError(await revoke(client, id), 404, 'not_found')
  expectError(await revoke(client, 'not base64url!'), 400, 'invalid_request')
  expectError(await revoke(another(), theirs?.id), 401, 'not_signed_in')
  expectError(await another().post('/api/i/sessions'), 401, 'not_signed_in')
  await expectSignedIn(victim)
})

test('ending the own session by the list signs out', async ({ client }) => {
  await signUp(client)
  const [own] = await sessionsOf(client)
  const answer = await revoke(client, own?.id)
  expect(answer.status).toBe(204)
  expect(answer.headers['clear-site-data']).toBe(STORAGE)
  expect(client.jar.has('latchkey-session')).toBe(false)
  await expectSignedOut(client)
})

test('signing out everywhere else ends all other sessions and keeps this one @promise', async ({
  server,
  client,
  another,
}) => {
  const { username, token, id } = await signUp(client)
  const before = client.stepUp ?? ''
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  const answer = await client.post('/api/i/signout-everywhere', { exceptThis: true })
  expect(answer.status, answer.text).toBe(200)
  const { stepUp, ...body } = answer.body
  expect(body).toEqual({ expiresAt: expect.any(String), token: client.jar.get('latchkey-session') })
  expect(answer.headers).not.toHaveProperty('clear-site-data')
  for (const ended of [elsewhere, another({ bearer: token })]) await expectSignedOut(ended)
  await expectSignedIn(client)
  expect(await sessionsOf(client)).toMatchObject([{ current: true }])
  // Nor does doing so again and again fill the table.
  expect(readSql(server.databaseUrl, `SELECT "id" FROM "Session" WHERE "userId" = '${id}'`)).toHaveLength(1)
  // The step-up goes on in the new session, and ends when it would have.
  expect(decodeJwt(stepUp)).toMatchObject({ exp: decodeJwt(before).exp, sid: decodeJwt(answer.body.token).jti })
  expectError(await client.post('/api/i/signout-everywhere', { exceptThis: 'yes' }), 400, 'invalid_request')
})

test('a session whose credential was shown ten minutes ago ends others only with a step-up, and itself without one @promise', async ({
  server,
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const { stepUp = '' } = client
  client.stepUp = undefined
  await ageSession(client, server, 600)
  const owner = another()
  await signInWithPassword(owner, username)
  const theirs = (await sessionsOf(client)).find(({ current }) => !current)?.id
  const elsewhere = () => client.post('/api/i/signout-everywhere', { exceptThis: true })
  expectError(await elsewhere(), 403, 'reauthentication_required')
  expectError(await revoke(client, theirs), 403, 'reauthentication_required')
  await expectSignedIn(owner)
  const thief = another({ bearer: client.jar.get('latchkey-session') ?? '' })
  client.stepUp = stepUp
  expect((await revoke(client, theirs)).status).toBe(204)
  await expectSignedOut(owner)
  expect((await elsewhere()).status).toBe(200)
  client.stepUp = undefined
  // The session that was given in place of it is no younger.
  expectError(await elsewhere(), 403, 'reauthentication_required')
  expectError(await thief.post('/api/i/signout-everywhere', { exceptThis: true }), 401, 'not_signed_in')
  const own = (await sessionsOf(client)).find(({ current }) => current)?.id
  expect((await revoke(client, own)).status).toBe(204)
})

test('an old session signs out everywhere without a step-up, since it ends with the others', async ({
  server,
  client,
  another,
}) => {
  const { username } = await signUp(client)
  client.stepUp = undefined
  await ageSession(client, server, 86_400)
  const elsewhere = another()
  await signInWithPassword(elsewhere, username)
  expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
  await expectSignedOut(elsewhere)
})

test('removing the passkey of the own session gives another session in its place', async ({
  client,
  another,
  authenticator,
}) => {
  const { token } = await signUpWithPasskey(client, authenticator)
  expect((await register(client, authenticator)).status).toBe(201)
  const answer = await client.post('/api/i/passkeys/remove', { id: authenticator.passkeys[0]?.id })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({ expiresAt: expect.any(String), token: client.jar.get('latchkey-session') })
  await expectSignedOut(another({ bearer: token }))
  expect((await expectSignedIn(client)).session.methods).toEqual(['passkey'])
  expect(await sessionsOf(client)).toMatchObject([{ method: 'passkey', current: true }])
})

const replacements: [string, (client: Client, passkeyId?: string) => Promise<Answer>][] = [
  ['signing out everywhere else', (client) => client.post('/api/i/signout-everywhere', { exceptThis: true })],
  ['a new password', (client) => changePassword(client, NEW_PASSWORD)],
  ["removing the own session's passkey", (client, id) => client.post('/api/i/passkeys/remove', { id })],
]
for (const [what, replace] of replacements) {
  test(`${what} changes nothing if no session can be given in place of the own one`, async ({
    server,
    client,
    another,
    authenticator,
  }) => {
    const { id, username } = await signUp(client)
    expect((await register(client, authenticator)).status).toBe(201)
    expect((await authenticate(client, authenticator)).status).toBe(200)
    const database = server.stores.DATABASE_URL ?? ''
    executeSql(
      database,
      `CREATE TRIGGER "planted-${id}" BEFORE INSERT ON "Session" WHEN NEW."userId" = '${id}'
       BEGIN SELECT RAISE(ABORT, 'planted'); END`,
    )
    try {
      expectError(await replace(client, authenticator.passkeys[0]?.id), 500, 'internal_error')
    } finally {
      executeSql(database, `DROP TRIGGER "planted-${id}"`)
    }
    expect((await expectSignedIn(client)).passkeys).toHaveLength(1)
    expect((await signInWithPassword(another(), username)).status).toBe(200)
  })
}

test('new recovery codes end the sessions that old ones opened, except the one that asks @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const codes = await createRecoveryCodes(client)
  const [owner, thief] = [another(), another()]
  expect((await signInWithRecoveryCode(owner, username, codes[0])).status).toBe(200)
  expect((await signInWithRecoveryCode(thief, username, codes[1])).status).toBe(200)
  await createRecoveryCodes(owner)
  await expectSignedOut(thief)
  for (const each of [owner, client]) await expectSignedIn(each)
})

test('a sign-out of a session that has ended with others ends none', async ({ another }) => {
  const [page, copy] = [another({ page: true }), another({ page: true })]
  await signUp(page)
  copy.jar.set('latchkey-session', page.jar.get('latchkey-session') ?? '')
  await page.post('/api/i/signout-everywhere')
  const answer = await copy.post('/api/signout')
  expect(answer.status).toBe(204)
  expect(answer.headers).not.toHaveProperty('clear-site-data')
})

test('only a response that ended a session tells the browser to clear its storage @promise', async ({
  client,
  another,
}) => {
  for (const path of ['/api/signout', '/api/i/signout-everywhere', '/api/i/delete']) {
    const page = another({ page: true })
    await signUp(page)
    expect((await page.post('/api/i')).headers).not.toHaveProperty('clear-site-data')
    expect((await page.post(path)).headers['clear-site-data'], path).toBe(STORAGE)
  }
  expect((await client.post('/api/signout')).headers).not.toHaveProperty('clear-site-data')
})

test('the day on which a session was last used is in the list, and is written by one request of that day @storage', async ({
  start,
}) => {
  const server = await start({ clock: 'movable' })
  const client = new Client(server)
  const { username } = await signUp(client)
  const idle = new Client(server)
  await signInWithPassword(idle, username)
  const days = async (ahead: number, by = client) => {
    const headers = { 'X-Clock-Ahead': String(ahead * DAY) }
    const { body } = await by.post('/api/i/sessions', undefined, { headers })
    const of = (own: boolean) => body.sessions.find(({ current }: Listed) => current === own).lastActiveAt
    return { own: of(true), other: of(false) }
  }
  const [today, third, fourth] = [0, 3, 4].map((ahead) => new Date(Date.now() + ahead * DAY).toISOString().slice(0, 10))
  expect(await days(0)).toEqual({ own: today, other: today })
  await expect.poll(() => days(3)).toEqual({ own: third, other: today })
  // Another request of that day would write it anew.
  executeSql(server.databaseUrl, 'UPDATE "Session" SET "lastActiveAt" = NULL')
  await days(3)
  await expect.poll(() => days(4, idle)).toEqual({ own: fourth, other: today })
})
