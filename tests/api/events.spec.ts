import {
  authenticate,
  createRecoveryCodes,
  eventsOf,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../support/accounts'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0'
const onWindows = { headers: { 'User-Agent': CHROME } }
const onLinux = { headers: { 'User-Agent': FIREFOX } }
const WRONG = 'a wrong password'

test('events are listed newest first with method and browser', async ({ another, authenticator }) => {
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
  expect((await other.post('/api/i/username', { username: next })).status).toBe(200)
  expect((await other.post('/api/i/passkeys/remove', { id: authenticator.passkeys[0]?.id })).status).toBe(204)
  expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
  await signInWithPassword(client, next)
  const changed = await client.post('/api/i/password', { password: 'a new password', currentPassword: PASSWORD })
  expect(changed.status, changed.text).toBe(200)

  const events = await eventsOf(client)
  expect(events.map(({ type, method, browser }) => [type, method, browser])).toEqual([
    ['password_changed', null, 'Chrome on Windows'],
    ['signed_in', 'pwd', 'Chrome on Windows'],
    ['signed_out_everywhere', null, 'Chrome on Windows'],
    ['passkey_removed', null, 'Firefox on Linux'],
    ['username_changed', null, 'Firefox on Linux'],
    ['reauthenticated', 'recovery', 'Firefox on Linux'],
    ['reauthenticated', 'passkey', 'Firefox on Linux'],
    ['recovery_codes_made', null, 'Chrome on Windows'],
    ['passkey_added', null, 'Chrome on Windows'],
    ['signed_in', 'pwd', 'Firefox on Linux'],
    ['account_created', 'pwd', 'Chrome on Windows'],
  ])
  for (const { at } of events) {
    expect(new Date(at).toISOString()).toBe(at)
    expect(Date.parse(at)).toBeGreaterThanOrEqual(begun - 1000)
    expect(Date.parse(at)).toBeLessThanOrEqual(Date.now() + 1000)
  }
})

test('events name the passkey as the method and leave out a browser that cannot be recognised', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  for (const agent of [undefined, 'curl/8.5.0', '<script>alert(1)</script>', 'x'.repeat(8000)]) {
    expect((await authenticate(another({ headers: { 'User-Agent': agent } }), authenticator, username)).status).toBe(
      200,
    )
  }
  const events = await eventsOf(client)
  expect(events.map(({ type, method, browser }) => [type, method, browser])).toEqual([
    ...Array(4).fill(['signed_in', 'passkey', null]),
    ['account_created', 'passkey', null],
  ])
})

test('the hundred newest events are listed', async ({ client, another, authenticator }) => {
  const { token, stepUp } = await signUpWithPasskey(client, authenticator)
  for (let time = 0; time < 104; time += 1) {
    expect((await another({ bearer: token, stepUp }).post('/api/i/username', { username: randomName() })).status).toBe(
      200,
    )
  }
  const events = await eventsOf(client)
  expect(events).toHaveLength(100)
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['username_changed']))
  await expectSignedIn(client)
})

test('an event contains nothing that was typed', async ({ client, another }) => {
  const { username, id } = await signUp(client)
  await signInWithPassword(another(), username, WRONG)
  await expect.poll(async () => (await eventsOf(client)).length).toBe(2)
  const [failure, made] = await eventsOf(client)
  expect(Object.keys(made ?? {}).sort()).toEqual(['at', 'browser', 'method', 'type'])
  expect(Object.keys(failure ?? {}).sort()).toEqual(['at', 'browser', 'count', 'method', 'type'])
  expect(JSON.stringify([failure, made])).not.toContain(id)
})
