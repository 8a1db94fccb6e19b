import { authenticate, PASSWORD, randomName, signInWithPassword, signUp, signUpWithPasskey } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { type Answer, Client } from '../support/client'
import { expect, test } from '../support/fixtures'

const DAY = 86_400

/** Asserts that a response sets both cookies as an http origin requires. */
function expectPlainCookies(answer: Answer, seconds = 7 * DAY) {
  expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['device', 'session'])
  for (const { name, attributes } of answer.cookies) {
    const age = String(name === 'session' ? seconds : 400 * DAY)
    expect(attributes, name).toMatchObject({ httponly: true, samesite: expect.stringMatching(/^lax$/i), path: '/' })
    expect(attributes['max-age'], name).toBe(age)
    expect(attributes, name).not.toHaveProperty('secure')
    expect(attributes, name).not.toHaveProperty('domain')
  }
}

test('every response that opens a session sets the session and device cookies', async ({
  client,
  another,
  authenticator,
}) => {
  const { username, answer } = await signUp(client)
  expectPlainCookies(answer)
  expectPlainCookies(await signInWithPassword(another(), username))
  expectPlainCookies((await signUpWithPasskey(another(), authenticator)).answer)
  expectPlainCookies(await authenticate(another(), authenticator))
})

test('signing out removes the session cookie and keeps the device cookie', async ({ client }) => {
  await signUp(client)
  const device = client.jar.get('device')
  const answer = await client.post('/api/signout')
  expect(answer.status).toBe(204)
  expect(answer.text).toBe('')
  expect(answer.cookies).toHaveLength(1)
  expect(answer.cookies[0]).toMatchObject({ name: 'session', value: '', attributes: { 'max-age': '0', path: '/' } })
  expect(Object.fromEntries(client.jar)).toEqual({ device })
})

test('on an https origin cookies are Secure and have the __Host- prefix', async ({ start }) => {
  const server = await start({ env: { APP_ORIGIN: 'https://id.example', JWT_EXPIRES_IN: '1h' } })
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server, { page: true })
  const { username, answer } = await signUp(client)
  const opened = [answer, await signInWithPassword(new Client(server), username)]
  opened.push((await signUpWithPasskey(new Client(server), authenticator)).answer)
  opened.push(await authenticate(new Client(server), authenticator))
  for (const { cookies } of opened) {
    expect(cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session'])
    for (const { name, attributes } of cookies) {
      expect(attributes, name).toMatchObject({ httponly: true, secure: true, path: '/' })
      expect(attributes, name).not.toHaveProperty('domain')
    }
    expect(cookies.find(({ name }) => name === '__Host-session')?.attributes['max-age']).toBe('3600')
  }
  expect((await client.post('/api/i')).status).toBe(200)
  const out = await client.post('/api/signout')
  expect(out.cookies).toHaveLength(1)
  expect(out.cookies[0]).toMatchObject({
    name: '__Host-session',
    value: '',
    attributes: { secure: true, 'max-age': '0', path: '/' },
  })
})

test('on an https origin a session cookie without the prefix is ignored', async ({ start }) => {
  const server = await start({ env: { APP_ORIGIN: 'https://id.example' } })
  const { token } = await signUp(new Client(server))
  const client = new Client(server)
  client.jar.set('session', token)
  expect((await client.post('/api/i')).status).toBe(401)
})

test('a client that is not a page gets the session token in the body, too', async ({
  client,
  another,
  authenticator,
}) => {
  const { username, token } = await signUp(client)
  expect(token).toBe(client.jar.get('session'))
  expect((await signInWithPassword(another(), username)).body.token).toEqual(expect.any(String))
  expect((await signUpWithPasskey(another(), authenticator)).token).toEqual(expect.any(String))
  expect((await authenticate(another(), authenticator)).body.token).toEqual(expect.any(String))
})

test('no response to a page carries a token in the body', async ({ server, authenticator }) => {
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
      const session = cookies.find(({ name }) => name === 'session')?.value
      expect(session).toMatch(/^ey/)
      expect(text).not.toContain(session)
    }
  }
})
