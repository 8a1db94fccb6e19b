import { formatCursor } from '@/lib/auth/events/cursor'
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
import type { Client } from '../../support/client'
import { eventPage, eventsOf, type ListedEvent, notableEventsOf } from '../../support/events'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'
import { asLaterSession } from '../../support/tokens/tokens'

/** Tests that fill lists do more than an account may do by default. */
const test = base.extend({
  server: async ({ startShared }, use) =>
    use(await startShared({ env: { RATE_LIMIT_ADDRESS_MAX: '100000', RATE_LIMIT_LOGIN_MAX: '1000' } })),
})

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
const onWindows = { headers: { 'User-Agent': CHROME } }
const onLinux = { headers: { 'User-Agent': FIREFOX } }

const inWords = (events: ListedEvent[]) => events.map(({ type, method, browser }) => [type, method, browser])

/** Sign-ins are counted by the hour: two rows if it changed meanwhile. */
const countOf = (events: ListedEvent[], type: string) =>
  events.filter((event) => event.type === type).reduce((sum, { count = 1 }) => sum + count, 0)

/** Gives the account events of changed usernames, newer than all it has. */
function fill({ databaseUrl }: Server, id: string, times: number) {
  const batch = randomName()
  executeSql(
    databaseUrl,
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${times})
     INSERT INTO "Event" ("id", "userId", "type", "kind", "at")
     SELECT '${batch}' || n, '${id}', 'username_changed', 'changes', ${Date.now() + 1000} + n FROM numbers`,
  )
}

test('events are listed newest first with method and browser @storage', async ({ another, authenticator }) => {
  const client = another(onWindows)
  const begun = Date.now()
  const { username } = await signUp(client)
  const other = another(onLinux)
  await signInWithPassword(other, username)
  expect((await register(client, authenticator)).status).toBe(201)
  const [code] = await createRecoveryCodes(client)
  await authenticate(other, authenticator)
  await signInWithRecoveryCode(other, username, code)
  const next = randomName()
  expect((await changeUsername(other, next)).status).toBe(200)
  expect((await other.post('/api/i/passkeys/remove', { id: authenticator.passkeys[0]?.id })).status).toBe(204)
  expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
  await signInWithPassword(client, next)
  const changed = await client.post('/api/i/password', { password: 'a new password', currentPassword: PASSWORD })
  expect(changed.status, changed.text).toBe(200)

  const signIns = [
    ['signed_in', 'pwd', 'Chrome on Windows'],
    ['reauthenticated', 'recovery', 'Firefox on Linux'],
    ['reauthenticated', 'passkey', 'Firefox on Linux'],
    ['signed_in', 'pwd', 'Firefox on Linux'],
    ['account_created', 'pwd', 'Chrome on Windows'],
  ]
  const changes = [
    ['password_changed', null, 'Chrome on Windows'],
    ['signed_out_everywhere', null, 'Chrome on Windows'],
    ['passkey_removed', null, 'Firefox on Linux'],
    ['username_changed', null, 'Firefox on Linux'],
    ['recovery_codes_made', null, 'Chrome on Windows'],
    ['passkey_added', null, 'Chrome on Windows'],
  ]
  expect(inWords(await eventsOf(client, 'sign_ins'))).toEqual(signIns)
  expect(inWords(await eventsOf(client, 'changes'))).toEqual(changes)
  const events = await eventsOf(client)
  expect(inWords(events).sort()).toEqual([...signIns, ...changes].sort())
  for (const [index, { at }] of events.entries()) {
    expect(new Date(at).toISOString()).toBe(at)
    expect(Date.parse(at)).toBeGreaterThanOrEqual(begun - 1000)
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(events[index - 1]?.at ?? '9999-12-31T00:00:00Z'))
  }
})

test('sign-ins of one browser are one event an hour, apart from those of another', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  const same = another(onWindows)
  const signIn = async (browser: Client) => {
    await browser.post('/api/signout')
    expect((await authenticate(browser, authenticator, username)).status).toBe(200)
  }
  await signIn(same)
  for (let time = 0; time < 4; time += 1) await signIn(same)
  const other = another(onWindows)
  other.jar.set('latchkey-device', same.jar.get('latchkey-device') ?? '')
  await signIn(other)
  const events = (await eventsOf(client)).filter(({ type }) => type === 'signed_in')
  expect(
    countOf(
      events.filter(({ newBrowser }) => newBrowser),
      'signed_in',
    ),
  ).toBe(1)
  expect(countOf(events, 'signed_in')).toBe(6)
  expect(events.length).toBeLessThanOrEqual(3)
  expect(events.at(-1)).not.toHaveProperty('count')
})

test('a sign-in is from a new browser unless it brings a device token of the account', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const latest = async () => (await eventsOf(client, 'sign_ins'))[0]
  expect(await latest()).not.toHaveProperty('newBrowser')
  await client.post('/api/signout')
  await signInWithPassword(client, username)
  expect(await latest()).toMatchObject({ type: 'signed_in' })
  expect(await latest()).not.toHaveProperty('newBrowser')
  const stranger = another(onLinux)
  await signUp(stranger)
  await stranger.post('/api/signout')
  await signInWithPassword(stranger, username)
  expect(await latest()).toMatchObject({ type: 'signed_in', browser: 'Firefox on Linux', newBrowser: true })
  const forger = another(onWindows)
  forger.jar.set('latchkey-device', client.jar.get('latchkey-session') ?? '')
  await authenticate(forger, authenticator, username)
  expect(await latest()).toMatchObject({ method: 'passkey', browser: 'Chrome on Windows', newBrowser: true })
})

test('events are listed fifty a page, each exactly once, whatever has happened since, and a cursor lists those of its own account alone @storage', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const neighbour = another()
  await signUp(neighbour)
  const { id } = await signUpWithPasskey(client, authenticator)
  fill(server, id, 54)
  const pages = [await eventPage(client, { kind: 'changes' })]
  for (let page = pages[0]; page?.next !== undefined; page = pages.at(-1))
    pages.push(await eventPage(client, { kind: 'changes', before: page.next }))
  expect(pages.map(({ events, more }) => [events.length, more])).toEqual([
    [50, true],
    [4, false],
  ])
  const times = pages.flatMap(({ events }) => events.map(({ at }) => at))
  expect(times).toEqual([...new Set(times)].sort().reverse())

  const { next = '' } = await eventPage(client)
  const before = await eventPage(client, { before: next })
  fill(server, id, 5)
  expect(await eventPage(client, { before: next })).toEqual(before)
  expect(before.events.at(-1)).toMatchObject({ type: 'account_created' })
  expect((await eventPage(neighbour, { before: next })).events).toMatchObject([{ type: 'account_created' }])
})

test('an altered cursor and an unknown kind are rejected as invalid', async ({ server, client, authenticator }) => {
  const { id } = await signUpWithPasskey(client, authenticator)
  fill(server, id, 51)
  const { next = '' } = await eventPage(client)
  const middle = next.length >> 1
  const altered = [
    '',
    next.slice(1),
    next.slice(0, -1),
    `${next}=`,
    `${next}A`,
    ` ${next}`,
    `${next.slice(0, middle)}${next[middle] === 'A' ? 'B' : 'A'}${next.slice(middle + 1)}`,
    next.toUpperCase(),
    Buffer.from('1/1').toString('base64url'),
    // PostgreSQL stores no NUL.
    formatCursor({ at: 1n, id: '\0' }),
    'x'.repeat(257),
    7,
    null,
  ]
  for (const before of altered) {
    const answer = await client.post('/api/i/events', { before })
    expectError(answer, 400, 'invalid_request')
    expect(Object.keys(answer.body.fields)).toEqual(['before'])
  }
  const answer = await client.post('/api/i/events', { kind: 'everything' })
  expectError(answer, 400, 'invalid_request')
  expect(Object.keys(answer.body.fields)).toEqual(['kind'])
})

test('thousands of sign-ins push out no change, and thousands of changes no notice @storage @promise', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const { id } = await signUp(client)
  await asLaterSession(client, server)
  expect((await register(client, authenticator)).status).toBe(201)
  const flood = (type: string, kind: string) =>
    executeSql(
      server.databaseUrl,
      `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5001)
       INSERT INTO "Event" ("id", "userId", "type", "kind", "at")
       SELECT '${id} ${kind} ' || n, '${id}', '${type}', '${kind}', ${Date.now()} + n FROM numbers`,
    )
  flood('signed_in', 'sign_ins')
  // Each event that is recorded removes what is too much.
  expect((await authenticate(another(), authenticator)).status).toBe(200)
  expect(inWords(await eventsOf(client, 'changes'))).toEqual([['passkey_added', null, null]])
  flood('app_allowed', 'changes')
  expect((await notableEventsOf(client)).map(({ type }) => type)).toContain('passkey_added')
})

test('signing out elsewhere again and again is one event an hour', async ({ client }) => {
  await signUp(client)
  for (let time = 0; time < 3; time++)
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
  const rows = (await eventsOf(client, 'changes')).filter(({ type }) => type === 'signed_out_everywhere')
  // Two if an hour begins meanwhile.
  expect(rows.length).toBeLessThanOrEqual(2)
  expect(rows.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(3)
})

test('an event contains nothing that was typed @promise', async ({ client, another }) => {
  const { username, id } = await signUp(client)
  await signInWithPassword(another(), username, WRONG_PASSWORD)
  await expect.poll(async () => (await eventsOf(client)).length).toBe(2)
  const [failure, made] = await eventsOf(client)
  expect(Object.keys(made ?? {}).sort()).toEqual(['at', 'browser', 'method', 'type'])
  expect(Object.keys(failure ?? {}).sort()).toEqual(['at', 'browser', 'count', 'method', 'type'])
  expect(JSON.stringify([failure, made])).not.toContain(id)
})
