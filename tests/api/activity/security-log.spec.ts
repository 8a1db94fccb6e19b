import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { securityEvents } from '@/lib/auth/events/security-log'
import {
  authenticate,
  changeUsername,
  NEW_PASSWORD,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import type { Server } from '../../support/server/server'
import { logLines, requestIdOf } from '../../support/server/server-log'
import { takeLock } from '../../support/storage/database-lock'
import { withOtherSignature } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'

const handbook = readFileSync('docs/security-log.md', 'utf8')

const test = base.extend({
  server: async ({ startShared }, use) =>
    use(await startShared({ env: { TRUSTED_PROXIES: '1', RATE_LIMIT_ADDRESS_MAX: '9' } })),
})

let networks = 0

/** A client from a network that no other test uses. */
function fromElsewhere(server: Server) {
  networks += 1
  const address = `198.51.100.${networks}`
  return { address, client: new Client(server, { headers: { 'X-Forwarded-For': address } }) }
}

/** The log up to now: the line of a request made now is the last to arrive. */
async function readLog(server: Server): Promise<string> {
  const headers = { Origin: 'https://last.example', 'X-Forwarded-For': '192.0.2.1' }
  const last = await new Client(server).post('/api/i', undefined, { headers })
  await expect.poll(() => server.output()).toContain(String(last.headers['x-request-id']))
  return server.output()
}

/** The security events of the requests that these responses belong to. */
async function eventsOf(server: Server, ...answers: Answer[]) {
  const ids = answers.map(requestIdOf)
  const lines = (await readLog(server)).split('\n').filter((line) => line.startsWith('{'))
  const parsed = lines.map((line) => JSON.parse(line))
  // Those that are counted together have a spec of their own.
  return parsed.filter(({ event, request, sources }) => event && sources === undefined && ids.includes(request))
}

test('each sign-in and each change of an account is a line with the account, the network and the request @promise', async ({
  server,
}) => {
  const { client, address } = fromElsewhere(server)
  const { id: account, answer: created } = await signUp(client)
  const username = randomName()
  const added = await register(client, new Authenticator(server.origin))
  const codes = await client.post('/api/i/recovery-codes')
  const renamed = await changeUsername(client, username)
  const reauthenticated = await signInWithPassword(client, username)
  const removed = await client.post('/api/i/passkeys/remove', { id: added.body.passkey.id })
  const other = await signInWithPassword(new Client(server, client.options), username)
  const { sessions } = (await client.post('/api/i/sessions')).body
  const { id } = sessions.find(({ current }: { current: boolean }) => !current)
  const revoked = await client.post('/api/i/sessions/revoke', { id })
  const change = { password: NEW_PASSWORD, currentPassword: PASSWORD }
  const changed = await client.post('/api/i/password', change)
  const everywhere = await client.post('/api/i/signout-everywhere')
  await signInWithPassword(client, username, NEW_PASSWORD)
  const signedOut = await client.post('/api/signout')
  await signInWithPassword(client, username, NEW_PASSWORD)
  const deleted = await client.post('/api/i/delete')
  const expected: [string, Answer][] = [
    ['account_created', created],
    ['passkey_added', added],
    ['recovery_codes_made', codes],
    ['username_changed', renamed],
    ['reauthenticated', reauthenticated],
    ['passkey_removed', removed],
    ['signed_in', other],
    ['session_revoked', revoked],
    ['password_changed', changed],
    ['signed_out_everywhere', everywhere],
    ['signed_out', signedOut],
    ['account_deleted', deleted],
  ]
  for (const [event, answer] of expected) {
    const line = { event, outcome: 'success', account, address, request: answer.headers['x-request-id'] }
    expect(await eventsOf(server, answer), event).toEqual([expect.objectContaining(line)])
  }
})

test('a failed attempt is a line with the account, or with a digest of a name that nobody has', async ({ server }) => {
  const { username, id } = await signUp(fromElsewhere(server).client)
  const { client, address } = fromElsewhere(server)
  const nobody = randomName()
  const answers: Answer[] = []
  for (const name of [username, nobody, nobody.toUpperCase()])
    answers.push(await signInWithPassword(client, name, WRONG_PASSWORD))
  const [known, unknown, again] = await eventsOf(server, ...answers)
  const line = { event: 'authentication_failed', outcome: 'failure', method: 'pwd', address }
  expect(known).toMatchObject({ ...line, account: id })
  expect(known).not.toHaveProperty('name')
  expect(unknown).toMatchObject({ ...line, account: null, name: expect.stringMatching(/^[\w-]{22}$/) })
  expect(again.name).toBe(unknown.name)

  for (let time = 0; time < 9; time += 1) await signInWithPassword(client, randomName(), WRONG_PASSWORD)
  const throttled = await signInWithPassword(client, nobody, WRONG_PASSWORD)
  expect(throttled.status).toBe(429)
  const rejected = { event: 'throttled', outcome: 'rejected', account: null, name: unknown.name, address }
  expect(await eventsOf(server, throttled)).toMatchObject([rejected])
})

test('a failed passkey is a line with its account, and so is a signature counter that went back, also from an address past its limit', async ({
  server,
}) => {
  const { client } = fromElsewhere(server)
  const authenticator = new Authenticator(server.origin)
  const { id: account } = await signUp(client)
  const flags = { be: false, bs: false }
  await register(client, authenticator, undefined, { flags })
  expect((await authenticate(client, authenticator, undefined, { counter: 9, flags })).status).toBe(200)
  const corrupted = { counter: 10, flags, corruptSignature: true }
  const failed = await authenticate(new Client(server, client.options), authenticator, undefined, corrupted)
  expect(await eventsOf(server, failed)).toMatchObject([
    { event: 'authentication_failed', outcome: 'failure', account, method: 'passkey' },
  ])
  const copied = await authenticate(client, authenticator, undefined, { counter: 8, flags })
  expect(copied.status).toBe(401)
  const line = expect.objectContaining({ event: 'counter_went_back', outcome: 'failure', account })
  expect(await eventsOf(server, copied)).toContainEqual(line)

  const invented = { ...authenticator.get((await client.post('/api/auth/login/options')).body), id: 'aW52ZW50ZWQ' }
  for (let time = 0; time < 9; time += 1)
    await client.post('/api/auth/login/verify', { ...invented, rawId: invented.id })
  const hidden = await authenticate(client, authenticator, undefined, { counter: 8, flags })
  expectError(hidden, 429, 'too_many_attempts')
  expect(await eventsOf(server, hidden)).toContainEqual(line)
})

test('on PostgreSQL, a passkey that is removed while it signs in is unknown, and not called a copied one', {
  tag: '@networked',
}, async ({ server }) => {
  const { client } = fromElsewhere(server)
  const authenticator = new Authenticator(server.origin)
  await signUp(client)
  await register(client, authenticator)
  const removal = `DELETE FROM "Passkey" WHERE "id" = '${authenticator.passkeys[0]?.id}'`
  const held = await takeLock(server.databaseUrl, removal)
  const authenticating = authenticate(new Client(server, client.options), authenticator)
  await held.untilWaiting(1)
  await held.release()
  const answer = await authenticating
  expectError(answer, 404, 'unknown_passkey')
  const events = await eventsOf(server, answer)
  expect(events.map(({ event }) => event)).toEqual(['authentication_failed'])
})

test('a foreign origin, a missing step-up token and a forged token are lines, and a valid session is none', async ({
  server,
}) => {
  const { client, address } = fromElsewhere(server)
  const { id: account, token } = await signUp(client)
  const foreign = await client.post('/api/i', undefined, { headers: { Origin: 'https://evil.example' } })
  expect(await eventsOf(server, foreign)).toMatchObject([
    { event: 'foreign_origin', outcome: 'rejected', account, address },
  ])
  const headers = { 'Latchkey-Step-Up': undefined }
  const missing = await client.post('/api/i/recovery-codes', undefined, { headers })
  expect(await eventsOf(server, missing)).toMatchObject([{ event: 'step_up_missing', outcome: 'rejected', account }])

  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'session+jwt' })).toString('base64url')
  for (const bearer of [withOtherSignature(token), `${unsigned}.${token.split('.')[1]}.`]) {
    const forger = new Client(server, { ...client.options, bearer })
    for (const path of ['/api/i', '/api/signout', '/api/i/delete'])
      expect(await eventsOf(server, await forger.post(path)), path).toMatchObject([
        { event: 'forged_token', outcome: 'rejected', account: null, address },
      ])
  }
  // Tokens of others, such as another application's on the same host, are no attempt on this one.
  for (const bearer of ['nonsense', 'a.b.c', 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln'])
    expect(await eventsOf(server, await new Client(server, { bearer }).post('/api/i')), bearer).toEqual([])
  expect(await eventsOf(server, await client.post('/api/i'))).toEqual([])
})

test('a forged token at a page is a line', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ mode: 'node' })
  const { token } = await signUp(new Client(server))
  const forger = new Client(server)
  forger.jar.set('latchkey-session', withOtherSignature(token))
  expect((await forger.get('/signin')).status).toBe(200)
  const forged = () => logLines(server.output()).filter(({ event }) => event === 'forged_token')
  await expect.poll(forged).toMatchObject([{ outcome: 'rejected', account: null }])
})

test('a forged step-up token and a forged challenge are lines', async ({ server }) => {
  const { client } = fromElsewhere(server)
  const { answer } = await signUp(client)
  const headers = { 'Latchkey-Step-Up': withOtherSignature(answer.body.stepUp) }
  const rejected = await client.post('/api/i/recovery-codes', undefined, { headers })
  expect((await eventsOf(server, rejected)).map(({ event }) => event)).toEqual(['step_up_missing', 'forged_token'])

  const options = await registrationOptions(client)
  const challenge = Buffer.from(withOtherSignature(Buffer.from(options.challenge, 'base64url').toString())).toString(
    'base64url',
  )
  const response = new Authenticator(server.origin).create({ ...options, challenge })
  const failed = await client.post('/api/auth/register/verify', response)
  expect((await eventsOf(server, failed)).map(({ event }) => event)).toEqual(['forged_token', 'authentication_failed'])
})

test('the log contains no username, password, code or token @promise', async ({ server }) => {
  const { client } = fromElsewhere(server)
  const { username, answer } = await signUp(client)
  const nobody = randomName()
  const { codes } = (await client.post('/api/i/recovery-codes')).body
  await new Client(server, client.options).post('/api/signin/recovery', { username, code: codes[0] })
  for (const name of [username, nobody]) await signInWithPassword(client, name, WRONG_PASSWORD)
  await new Client(server, { bearer: withOtherSignature(answer.body.token) }).post('/api/i')
  const log = (await readLog(server)).toLowerCase()
  const { token, stepUp } = answer.body
  for (const secret of [username, nobody, PASSWORD, WRONG_PASSWORD, token, withOtherSignature(token), stepUp, ...codes])
    expect(log).not.toContain(secret.toLowerCase())
})

test('the table of events in docs/security-log.md is the list in the code', () => {
  const rows = [...handbook.matchAll(/^\| `(\w+)` \| (success|failure|rejected) \|/gm)]
  expect(Object.fromEntries(rows.map(([, event, outcome]) => [event, outcome]))).toEqual(securityEvents)
})

/** The log after three failures from one IPv4 address, and one from the IPv6 network that `prefix` begins. */
async function logOfFailures(server: Server, prefix: string) {
  const { client, address } = fromElsewhere(server)
  for (let time = 0; time < 3; time += 1) await signInWithPassword(client, randomName(), WRONG_PASSWORD)
  const overV6 = new Client(server, { headers: { 'X-Forwarded-For': `${prefix}::7` } })
  await signInWithPassword(overV6, randomName(), WRONG_PASSWORD)
  return { address, log: await readLog(server) }
}

test('the example for jq in docs/security-log.md counts the failures of a real log', async ({ server }) => {
  needs('jq')
  const { address, log } = await logOfFailures(server, '2001:db8:5:7')
  const program = /^jq -rnR '(.*)'$/m.exec(handbook)?.[1] ?? ''
  const { stdout } = spawnSync('jq', ['-rnR', program], { input: log, encoding: 'utf8' })
  expect(stdout.split('\n')).toEqual(expect.arrayContaining([`3 ${address}`, '1 2001:db8:5:7::/64']))
})

test('the example for fail2ban in docs/security-log.md finds the failures of a real log', async ({ server }) => {
  const { address, log } = await logOfFailures(server, '2001:db8:5:6')
  const failregex = /^failregex = (.*)$/m.exec(handbook)?.[1] ?? ''
  // fail2ban puts an address in place of the tag, with or without the length of a prefix.
  const pattern = new RegExp(failregex.replace('<SUBNET>', '(?<network>[0-9A-Fa-f:.]+(?:/\\d{1,3})?)'))
  expect(pattern.test(`host latchkey[123]: ${log.split('\n').findLast((line) => pattern.test(line))}`)).toBe(true)
  const found = log.split('\n').flatMap((line) => pattern.exec(line)?.groups?.network ?? [])
  expect(found.filter((network) => network === address)).toHaveLength(3)
  expect(found.filter((network) => network === '2001:db8:5:6::/64')).toHaveLength(1)
  // A visitor's browser sends these on behalf of another site.
  expect(found).not.toContain('192.0.2.1')
})
