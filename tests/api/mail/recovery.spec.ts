import { randomInt } from 'node:crypto'
import { rows } from '@/lib/api/endpoints'
import {
  authenticate,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { eventsOf, notableEventsOf } from '../../support/events'
import { expectError, expectSignedIn, expectWellFormedError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { type MailServer, mailEnv, randomNetwork, startMailServer } from '../../support/network/mail-server'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const hour = 3_600_000
const day = 24 * hour

interface Recovering {
  server: Server
  mail: MailServer
  /** A browser, from a network of its own unless it names one. */
  browser: (network?: string) => Client
}

const test = base.extend<{ recovering: Recovering }>({
  recovering: async ({ startShared, keep }, use) => {
    const mail = await keep('mail-server', async (onEnd) => {
      const mail = await startMailServer()
      onEnd(() => mail.stop())
      return mail
    })
    const limits = { RATE_LIMIT_ADDRESS_MAX: '100000', TRUSTED_PROXIES: '1' }
    const server = await startShared({
      clock: 'movable',
      env: { ...limits, ...mailEnv(mail.port), MAIL_RECOVERY: '12h' },
    })
    const browser = (network = randomNetwork()) => new Client(server, { headers: { 'X-Forwarded-For': network } })
    await use({ server, mail, browser })
  },
})

/** An account whose person has proved an address, so many days ago. */
async function proved({ server, mail, browser }: Recovering, daysAgo = 8, name = randomName()) {
  const client = browser()
  const account = await signUp(client, name)
  const address = `${randomName()}@example.com`
  await client.post('/api/i/email', { email: address })
  const answer = await client.post('/api/i/email/verify', { code: await mail.codeTo(address) })
  expect(answer.status, answer.text).toBe(200)
  const at = Date.now() - daysAgo * day
  executeSql(server.databaseUrl, `UPDATE "User" SET "emailProvedAt" = ${at} WHERE "id" = '${account.id}'`)
  return { client, address, ...account }
}

const ask = (client: Client, username: string) => client.post('/api/recover', { username })

const isAbout = (path: string) => new RegExp(`${path}#([\\w-]{43})`)

/** The token of the newest letter with a link to this path. */
async function tokenTo({ mail }: Recovering, address: string, path = '/recover', count = 1): Promise<string> {
  const found = () =>
    mail.received.flatMap(({ to, text }) => (to === address ? (isAbout(path).exec(text)?.[1] ?? []) : []))
  await expect.poll(() => found().length, { intervals: [20] }).toBeGreaterThanOrEqual(count)
  return found().at(-1) ?? ''
}

/** Asks for the account's nth letter in a browser, and presses its link there. */
async function asked(given: Recovering, { username, address }: { username: string; address: string }, nth = 1) {
  const client = given.browser()
  expect((await ask(client, username)).status).toBe(202)
  const token = await tokenTo(given, address, '/recover', nth)
  const confirmed = await client.post('/api/recover/confirm', { token })
  expect(confirmed.status, confirmed.text).toBe(200)
  return { client, token, at: Date.parse(confirmed.body.at) }
}

const after = (milliseconds: number) => ({ headers: { 'X-Clock-Ahead': String(milliseconds) } })

const afterWait = after(12 * hour + 60_000)

const setPassword = (client: Client, token: string, message = afterWait) =>
  client.post('/api/recover/password', { token, password: `new ${PASSWORD}` }, message)

async function setPasskey(client: Client, token: string, device: Authenticator) {
  const options = await client.post('/api/recover/options', { token }, afterWait)
  expect(options.status, options.text).toBe(200)
  return client.post('/api/recover/passkey', { ...device.create(options.body), token }, afterWait)
}

const rowsOf = ({ server }: Recovering, id: string) =>
  Number(readSql(server.databaseUrl, `SELECT COUNT(*) FROM "Recovery" WHERE "userId" = '${id}'`)[0])

test('whoever lost everything gets back by a letter, a wait and a new passkey, and everything of before ends @storage @promise', async ({
  recovering,
}) => {
  const { server, mail, browser } = recovering
  const owner = await proved(recovering)
  const device = new Authenticator(server.origin)
  expect((await register(owner.client, device)).status).toBe(201)
  const [code = ''] = await createRecoveryCodes(owner.client)
  await new Flow(owner.client, await registerApp(server, CALLBACK)).tokens()

  const client = browser()
  const answer = await ask(client, owner.address.toUpperCase().replace('EXAMPLE.COM', 'example.com'))
  expect([answer.status, answer.body]).toEqual([202, {}])
  const [cookie] = answer.cookies
  expect(cookie).toMatchObject({
    name: 'latchkey-recovery',
    attributes: { httponly: true, samesite: 'Lax', path: '/', 'max-age': String((24 + 12 + 72) * 3600) },
  })
  const token = await tokenTo(recovering, owner.address)
  const show = (by: Client, message = {}) => by.post('/api/recover/show', { token }, message)
  expect((await show(client)).body).toEqual({ state: 'confirm', at: null, passwords: true })
  // A letter that somebody else reads, or a scanner opens, does nothing.
  const stranger = browser()
  await ask(stranger, randomName())
  for (const elsewhere of [browser(), stranger]) {
    expect((await show(elsewhere)).body).toEqual({ state: 'other_browser', at: null, passwords: true })
    for (const path of ['confirm', 'options'])
      expectError(await elsewhere.post(`/api/recover/${path}`, { token }), 403, 'not_allowed')
    expectError(await setPassword(elsewhere, token), 403, 'not_allowed')
  }
  expect((await expectSignedIn(owner.client)).recovery).toBeNull()
  expectError(await setPassword(client, token, after(0)), 403, 'too_early')

  const { status, body } = await client.post('/api/recover/confirm', { token })
  expect(status).toBe(200)
  expect(Date.parse(body.at) - Date.now()).toBeGreaterThan(11.9 * hour)
  expect((await client.post('/api/recover/confirm', { token })).body).toEqual(body)
  // Asking again, in this browser or another, changes nothing that waits.
  await ask(client, owner.username)
  await ask(browser(), owner.username)
  expect((await show(client)).body).toEqual({ state: 'waiting', at: body.at, passwords: true })
  expect((await expectSignedIn(owner.client)).recovery).toEqual({ at: body.at })
  expect((await eventsOf(owner.client, 'changes'))[0]).toMatchObject({ type: 'recovery_asked' })
  expect((await notableEventsOf(owner.client)).map(({ type }) => type)).toContain('recovery_asked')
  await tokenTo(recovering, owner.address, '/recover/stop')
  const early = await client.post('/api/recover/options', { token }, after(11 * hour))
  expectError(early, 403, 'too_early')
  expect(early.body.retryAfter).toBeGreaterThan(59 * 60)
  expect(early.body.retryAfter).toBeLessThanOrEqual(3600)
  expect(early.headers['retry-after']).toBe(String(early.body.retryAfter))

  expect((await show(client, afterWait)).body).toEqual({ state: 'ready', at: body.at, passwords: true })
  expectError(await show(client, after(85 * hour)), 401, 'authentication_failed')
  const fresh = new Authenticator(server.origin)
  const recovered = await setPasskey(client, token, fresh)
  expect(recovered.status, recovered.text).toBe(201)
  expect(recovered.body).toMatchObject({ user: { id: owner.id }, passkey: { id: fresh.passkeys[0]?.id } })

  expectError(await owner.client.post('/api/i', undefined, afterWait), 401, 'not_signed_in')
  const now = await client.post('/api/i', undefined, afterWait)
  expect(now.body).toMatchObject({ hasPassword: false, recoveryCodesLeft: 0, recovery: null, email: owner.address })
  expect(now.body.passkeys).toHaveLength(1)
  expect((await client.post('/api/i/apps', undefined, afterWait)).body.apps).toEqual([])
  const { events } = (await client.post('/api/i/events', {}, afterWait)).body
  expect(events.map(({ type }: { type: string }) => type)).toContain('recovered')
  const signedIn = events.find(({ type }: { type: string }) => type === 'signed_in')
  expect([signedIn?.method, signedIn?.newBrowser]).toEqual(['passkey', undefined])
  // Whoever recovered it knows that they have asked.
  expect((await client.post('/api/i/notices', undefined, afterWait)).body.events).toEqual([])
  expectError(await signInWithPassword(browser(), owner.username), 401, 'authentication_failed')
  expectError(await signInWithRecoveryCode(browser(), owner.username, code), 401, 'authentication_failed')
  expectError(await authenticate(browser(), device), 404, 'unknown_passkey')
  expect((await authenticate(browser(), fresh)).status).toBe(200)
  for (const path of ['show', 'confirm', 'options'])
    expectError(await client.post(`/api/recover/${path}`, { token }, afterWait), 401, 'authentication_failed')
  const subjects = () => mail.received.filter(({ to }) => to === owner.address).map(({ subject }) => subject)
  // Those of a moved clock go at once, or wait until it is so late.
  const waiting = () => readSql(server.databaseUrl, `SELECT "type" FROM "Delivery" WHERE "account" = '${owner.id}'`)
  await expect
    .poll(() => [...subjects(), ...waiting()])
    .toEqual(expect.arrayContaining([expect.stringMatching(/^(letter\.recovered|.*recovered by email)$/)]))
})

test('all get one answer, and only an account with an address that its person proved a week ago gets a letter @promise', async ({
  recovering,
}) => {
  const { server, mail, browser } = recovering
  const [young, disabled, administrator, former, given, control] = await Promise.all([
    proved(recovering, 6.9),
    proved(recovering),
    proved(recovering),
    proved(recovering),
    proved(recovering),
    proved(recovering),
  ])
  await accountsJson(server, 'disable', disabled.username)
  const device = new Authenticator(server.origin)
  await register(administrator.client, device)
  await accountsJson(server, 'group', 'add', 'admins', administrator.username)
  await former.client.post('/api/i/username', { username: randomName() })
  const named = `${randomName()}@example.com`
  await accounts(server, 'email', given.username, named)
  const unproved = await signUp(browser())

  const silent = [young, disabled, administrator, given, unproved, { username: 'nobody' }, former]
  const answers: Answer[] = []
  for (const { username } of [...silent, control]) answers.push(await ask(browser(), username))
  await tokenTo(recovering, control.address)
  const shapes = answers.map(({ status, text, headers, cookies }) => [
    status,
    text,
    Object.keys(headers).sort(),
    cookies.map(({ name, value, attributes }) => [name, value.length, attributes]),
  ])
  for (const shape of shapes) expect(shape).toEqual(shapes[0])
  // The others' were asked for before the control's.
  const links = mail.received.filter(({ text }) => isAbout('/recover').test(text)).map(({ to }) => to)
  for (const { address } of [young, disabled, administrator, former, given]) expect(links).not.toContain(address)
  for (const { id } of [young, disabled, administrator, former, given, unproved]) expect(rowsOf(recovering, id)).toBe(0)
  // What an operator has set and its person proves counts from then on.
  await given.client.post('/api/i/email', { email: named })
  expect((await given.client.post('/api/i/email/verify', { code: await mail.codeTo(named) })).status).toBe(200)
  const [provedAt] = readSql(server.databaseUrl, `SELECT "emailProvedAt" FROM "User" WHERE "id" = '${given.id}'`)
  expect(Date.now() - Number(provedAt)).toBeLessThan(60_000)

  expectError(await browser().post('/api/recover', { username: '' }), 400, 'invalid_request')
  expectError(await browser().post('/api/recover', { username: 'a\0b' }), 400, 'invalid_request')
  expectError(await browser().post('/api/recover/show', { token: 'nothing' }), 401, 'authentication_failed')
})

test('strangers cause five letters a day for an account, two from one network, and use up nothing of a browser that it knows', async ({
  recovering,
}) => {
  const { browser } = recovering
  const owner = await proved(recovering)
  const count = () => rowsOf(recovering, owner.id)
  const network = () => `10.${randomInt(256)}.${randomInt(256)}`
  const [first, second] = [network(), network()]
  for (const place of [`${first}.1`, `${first}.2`, `${first}.3`, `${first}.4`])
    await ask(browser(place), owner.username)
  await expect.poll(count).toBe(2)
  for (const place of [`${second}.1`, randomNetwork(), randomNetwork()]) await ask(browser(place), owner.username)
  await expect.poll(count).toBe(5)
  await ask(browser(), owner.username)
  const known = browser()
  await signInWithPassword(known, owner.username)
  await known.post('/api/signout')
  await ask(known, owner.username)
  await expect.poll(count).toBe(6)
})

test('a stranger with a list of usernames causes twenty letters an hour from one network', async ({ recovering }) => {
  const { server, browser } = recovering
  const prefix = randomName()
  const names = Array.from({ length: 22 }, (_, index) => `${prefix}-${index}`)
  const people = names.map((username) => ({ username }))
  expect((await importRows(server, people)).code).toBe(0)
  const proof = `"email" = "username" || '@example.com', "emailProvedAt" = 1`
  executeSql(server.databaseUrl, `UPDATE "User" SET ${proof} WHERE "username" LIKE '${prefix}-%'`)
  const letters = () =>
    Number(
      readSql(
        server.databaseUrl,
        `SELECT COUNT(*) FROM "Recovery" r JOIN "User" u ON u."id" = r."userId" WHERE u."username" LIKE '${prefix}-%'`,
      )[0],
    )
  const stranger = browser()
  for (const name of names) expect((await ask(stranger, name)).status).toBe(202)
  await expect.poll(letters).toBe(20)
  // What was asked for first is done first.
  await ask(browser(), `${prefix}-21`)
  await expect.poll(letters).toBe(21)
})

const stops: Record<
  string,
  (owner: Awaited<ReturnType<typeof proved>>, given: Recovering, token: string) => Promise<unknown>
> = {
  'a press in a session': ({ client }) => client.post('/api/i/recovery/stop'),
  'a press by the letter': async ({ address }, given) => {
    const token = await tokenTo(given, address, '/recover/stop')
    const { status, text } = await given.browser().post('/api/recover/stop', { token })
    expect(status, text).toBe(204)
    expectError(await given.browser().post('/api/recover/stop', { token }), 401, 'authentication_failed')
  },
  'a passkey that is added': ({ client }, { server }) => register(client, new Authenticator(server.origin)),
  'another address': async ({ client }, { mail }) => {
    const email = `${randomName()}@example.com`
    await client.post('/api/i/email', { email })
    await client.post('/api/i/email/verify', { code: await mail.codeTo(email) })
  },
  'no address': ({ client }) => client.post('/api/i/email/remove'),
  "an operator's address": ({ username }, { server }) =>
    accounts(server, 'email', username, `${randomName()}@example.com`),
  disabling: ({ username }, { server }) => accountsJson(server, 'disable', username),
}

test('a press in a session or by the letter, a passkey that is added, another address, no address and disabling each stop what waits, and the letters that nobody has pressed @promise', async ({
  recovering,
}) => {
  const stopped = Object.entries(stops).map(async ([how, stop]) => {
    const owner = await proved(recovering)
    const { client, token } = await asked(recovering, owner)
    const second = recovering.browser()
    await ask(second, owner.username)
    const unpressed = await tokenTo(recovering, owner.address, '/recover', 2)
    await stop(owner, recovering, token)
    expectError(await setPassword(client, token), 401, 'authentication_failed')
    expectError(await second.post('/api/recover/confirm', { token: unpressed }), 401, 'authentication_failed')
    const events = readSql(recovering.server.databaseUrl, `SELECT "type" FROM "Event" WHERE "userId" = '${owner.id}'`)
    expect(
      events.filter((type) => type === 'recovery_stopped'),
      how,
    ).toHaveLength(1)
    expect(rowsOf(recovering, owner.id), how).toBe(0)
  })
  await Promise.all(stopped)
})

test('a sign-in with a passkey or a recovery code stops it, and so does joining the administrators, but no password @promise', async ({
  recovering,
}) => {
  const { server, browser } = recovering
  const owner = await proved(recovering)
  const device = new Authenticator(server.origin)
  await register(owner.client, device)
  const codes = await createRecoveryCodes(owner.client)
  const waits = async () => (await expectSignedIn(owner.client)).recovery !== null
  await asked(recovering, owner)
  expect((await signInWithPassword(browser(), owner.username)).status).toBe(200)
  expectError(
    await authenticate(browser(), device, owner.username, { corruptSignature: true }),
    401,
    'authentication_failed',
  )
  expect(await waits()).toBe(true)
  expect((await authenticate(browser(), device)).status).toBe(200)
  expect(await waits()).toBe(false)
  await asked(recovering, owner, 2)
  expect((await signInWithRecoveryCode(browser(), owner.username, codes[0])).status).toBe(200)
  expect(await waits()).toBe(false)
  const { client, token } = await asked(recovering, owner, 3)
  await accountsJson(server, 'group', 'add', 'admins', owner.username)
  expectError(await setPassword(client, token), 401, 'authentication_failed')
  expect(rowsOf(recovering, owner.id)).toBe(0)
})

test('of two uses at once, of a use and a stop, of a press and a stop, and of a use and a sign-in, one wins @storage', async ({
  recovering,
}) => {
  const { server, browser } = recovering
  const twice = await proved(recovering)
  const one = await asked(recovering, twice)
  const uses = await Promise.all([setPassword(one.client, one.token), setPassword(one.client, one.token)])
  expect(uses.map(({ status }) => status).sort()).toEqual([200, 401])

  const owner = await proved(recovering)
  const waiting = await asked(recovering, owner)
  const stopToken = await tokenTo(recovering, owner.address, '/recover/stop')
  const [used, stopped] = await Promise.all([
    setPassword(waiting.client, waiting.token),
    browser().post('/api/recover/stop', { token: stopToken }, afterWait),
  ])
  expect([[200, 401].join(), [401, 204].join()]).toContain([used.status, stopped.status].join())

  const pressing = await proved(recovering)
  const client = browser()
  await ask(client, pressing.username)
  const token = await tokenTo(recovering, pressing.address)
  await Promise.all([
    client.post('/api/recover/confirm', { token }),
    client.post('/api/recover/confirm', { token }),
    pressing.client.post('/api/i/recovery/stop'),
  ])
  // Stopped, or pressed after the stop had found nothing to stop, in which case the letter had gone.
  expect(rowsOf(recovering, pressing.id)).toBe(0)

  const signing = await proved(recovering)
  const device = new Authenticator(server.origin)
  await register(signing.client, device)
  const ready = await asked(recovering, signing)
  const [taken, signedIn] = await Promise.all([setPassword(ready.client, ready.token), authenticate(browser(), device)])
  if (taken.status === 200) expect(signedIn.status).not.toBe(200)
  else {
    expectError(taken, 401, 'authentication_failed')
    expect(signedIn.status).toBe(200)
  }
})

test('a challenge for a recovery registers no passkey elsewhere, and one for a session or a new account recovers nothing', async ({
  recovering,
}) => {
  const { server } = recovering
  const owner = await proved(recovering)
  const { client, token } = await asked(recovering, owner)
  const device = new Authenticator(server.origin)
  const options = await client.post('/api/recover/options', { token }, afterWait)
  expectError(
    await owner.client.post('/api/auth/register/verify', device.create(options.body), afterWait),
    401,
    'authentication_failed',
  )
  for (const challenge of [
    await registrationOptions(owner.client),
    await registrationOptions(recovering.browser(), randomName()),
  ])
    expectError(
      await client.post('/api/recover/passkey', { ...device.create(challenge), token }, afterWait),
      401,
      'authentication_failed',
    )
  const other = await proved(recovering)
  const theirs = await asked(recovering, other)
  expectError(
    await theirs.client.post(
      '/api/recover/passkey',
      { ...device.create((await client.post('/api/recover/options', { token }, afterWait)).body), token: theirs.token },
      afterWait,
    ),
    401,
    'authentication_failed',
  )
  await expectSignedIn(owner.client)
})

const endpoints = rows.filter(({ usesRecovery }) => usesRecovery)

test('the endpoints of a recovery take JSON of our own pages alone, and answer what makes no sense with an error', async ({
  recovering: { server, browser },
}) => {
  const owner = browser()
  await signUp(owner)
  const foreign = { headers: { Origin: 'https://evil.example' } }
  for (const { path, body } of endpoints) {
    expectError(await owner.post(path, {}, foreign), 403, 'foreign_origin')
    if (body === undefined) continue
    const text = { raw: '{}', headers: { 'Content-Type': 'text/plain' } }
    expectError(await owner.post(path, undefined, text), 415, 'unsupported_media_type')
    for (const strange of [
      [],
      null,
      { token: ['x'], username: {} },
      { token: 'x'.repeat(300), username: 'x'.repeat(300) },
    ])
      expectError(await owner.post(path, strange), 400, 'invalid_request')
    expectWellFormedError(await owner.post(path, { token: '\u0000' }))
  }
  expect((await new Client(server).post('/api/i/recovery/stop')).status).toBe(401)
  expect((await owner.post('/api/i/recovery/stop')).status).toBe(204)
})

test('without MAIL_RECOVERY there is no recovery by mail', async ({ client }) => {
  await signUp(client)
  for (const { path } of endpoints) expectError(await client.post(path, {}), 404, 'not_found')
  expect((await expectSignedIn(client)).recovery).toBeNull()
})
