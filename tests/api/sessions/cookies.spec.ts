import { cutsOf } from '@/lib/mark'
import {
  authenticate,
  changeUsername,
  PASSWORD,
  randomName,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

const DAY = 86_400
const HTTPS = { APP_ORIGIN: 'https://id.example', JWT_EXPIRES_IN: '1h' }

/** Asserts that a response sets both cookies as an http origin requires. */
function expectPlainCookies(answer: Answer, seconds = 7 * DAY) {
  expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['latchkey-device', 'latchkey-session'])
  for (const { name, attributes } of answer.cookies) {
    const age = String(name === 'latchkey-session' ? seconds : 400 * DAY)
    expect(attributes, name).toMatchObject({ httponly: true, samesite: expect.stringMatching(/^lax$/i), path: '/' })
    expect(attributes['max-age'], name).toBe(age)
    expect(attributes, name).not.toHaveProperty('secure')
    expect(attributes, name).not.toHaveProperty('domain')
  }
}

test('a session has a cookie and a device another one, which stays when signing out removes the first', async ({
  client,
}) => {
  expectPlainCookies((await signUp(client)).answer)
  const device = client.jar.get('latchkey-device')
  const answer = await client.post('/api/signout')
  expect(answer.status).toBe(204)
  expect(answer.text).toBe('')
  expect(answer.cookies).toHaveLength(1)
  expect(answer.cookies[0]).toMatchObject({
    name: 'latchkey-session',
    value: '',
    attributes: { 'max-age': '0', path: '/' },
  })
  expect(Object.fromEntries(client.jar)).toEqual({ 'latchkey-device': device })
})

test('on an https origin cookies are Secure and have the __Host- prefix @promise', async ({ startShared }) => {
  const server = await startShared({ env: HTTPS })
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server, { page: true })
  const { username, answer } = await signUp(client)
  const opened = [answer, await signInWithPassword(new Client(server), username)]
  opened.push((await signUpWithPasskey(new Client(server), authenticator)).answer)
  opened.push(await authenticate(new Client(server), authenticator))
  for (const { cookies } of opened) {
    const names = cookies.map(({ name }) => name).filter((name) => name !== '__Host-hint')
    expect(names.sort()).toEqual(['__Host-device', '__Host-session'])
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toMatchObject({ httponly: true, secure: true, path: '/' })
      expect(attributes, name).not.toHaveProperty('domain')
    }
    expect(cookies.find(({ name }) => name === '__Host-session')?.attributes['max-age']).toBe('3600')
  }
  expect((await client.post('/api/i')).status).toBe(200)
  expect(answer.cookies.map(({ name }) => name)).toContain('__Host-hint')
  const [out, ending, ...others] = (await client.post('/api/signout')).cookies
  expect(out).toMatchObject({
    name: '__Host-session',
    value: '',
    attributes: { secure: true, 'max-age': '0', path: '/' },
  })
  expect(ending).toMatchObject({ name: '__Host-ending', value: 'signed_out', attributes: { secure: true } })
  expect(others).toEqual([])
})

/** The hint that a response leaves in the browser; undefined if it says nothing of it. */
const hintOf = ({ cookies }: Answer) => cookies.find(({ name }) => name === 'latchkey-hint')?.value

test('a page keeps the way used last, and no name unless its person asks for that', async ({ server, another }) => {
  const { username, answer } = await signUp(another({ page: true }))
  expect(answer.cookies.find(({ name }) => name === 'latchkey-hint')).toMatchObject({
    value: 'password',
    attributes: { httponly: true, samesite: expect.stringMatching(/^lax$/i), path: '/', 'max-age': `${400 * DAY}` },
  })
  const browser = another({ page: true })
  const authenticator = new Authenticator(server.origin)
  const { username: other, answer: signedUp } = await signUpWithPasskey(browser, authenticator)
  const named = (name: string) => `passkey.${cutsOf(signedUp.body.user.id)}.${name}`
  expect(browser.jar.get('latchkey-hint')).toBe('passkey')
  expectError(await another({ page: true }).post('/api/i/hint', { remember: true }), 401, 'not_signed_in')
  expectError(await browser.post('/api/i/hint', { remember: 'yes' }), 400, 'invalid_request')

  expect(hintOf(await browser.post('/api/i/hint', { remember: true }))).toBe(`passkey~${named(other)}`)
  expect(hintOf(await browser.post('/api/signout'))).toBe(undefined)
  expect(hintOf(await authenticate(browser, authenticator))).toBe(`passkey~${named(other)}`)
  const renamed = randomName()
  expect(hintOf(await changeUsername(browser, renamed))).toBe(`passkey~${named(renamed)}`)
  expect(hintOf(await browser.post('/api/i/hint', { remember: false }))).toBe('passkey')
  await browser.post('/api/i/hint', { remember: true })
  // Somebody else signs in here, is not remembered unless they ask for it, and then comes first.
  expect(hintOf(await signInWithPassword(browser, username))).toBe(`password~${named(renamed)}`)
  const both = hintOf(await browser.post('/api/i/hint', { remember: true }))
  expect(both).toMatch(new RegExp(`^password~password\\.[0-3]{8}\\.${username}~`))
  expect(both).toContain(`~${named(renamed)}`)
  // The deletion forgets its account, and nobody else.
  expect(hintOf(await browser.post('/api/i/delete'))).toBe(`~${named(renamed)}`)
})

test('on an https origin a session cookie without the prefix is ignored', async ({ startShared }) => {
  const server = await startShared({ env: HTTPS })
  const { token } = await signUp(new Client(server))
  const client = new Client(server)
  client.jar.set('latchkey-session', token)
  expect((await client.post('/api/i')).status).toBe(401)
})

test('no response to a page carries a token in the body @promise', async ({ server, authenticator }) => {
  const markers = [
    { Origin: server.origin },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { Origin: server.origin, 'Sec-Fetch-Site': 'same-origin' },
  ]
  for (const headers of markers) {
    const page = () => new Client(server, { headers })
    const { username, answer } = await signUp(page(), randomName(), PASSWORD)
    const made = await signUpWithPasskey(page(), authenticator)
    const answers = [
      answer,
      await signInWithPassword(page(), username),
      made.answer,
      await authenticate(page(), authenticator),
    ]
    for (const { text, cookies } of answers) {
      expect(text).not.toContain('token')
      const session = cookies.find(({ name }) => name === 'latchkey-session')?.value
      expect(session).toMatch(/^ey/)
      expect(text).not.toContain(session)
    }
  }
})

test('on an https origin account deletion and sign-out everywhere remove the cookies with the __Host- prefix @promise', async ({
  startShared,
}) => {
  const server = await startShared({ env: HTTPS })
  for (const [path, names] of [
    ['/api/i/signout-everywhere', ['__Host-session']],
    ['/api/i/delete', ['__Host-device', '__Host-session']],
  ] as const) {
    const client = new Client(server)
    await signUp(client)
    const { cookies } = await client.post(path)
    expect(cookies.map(({ name }) => name).sort()).toEqual(names)
    for (const { value, attributes } of cookies) {
      expect([value, attributes.secure, attributes['max-age']]).toEqual(['', true, '0'])
    }
  }
})
