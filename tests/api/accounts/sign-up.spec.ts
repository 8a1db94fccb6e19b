import { hashSync } from 'bcryptjs'
import { decodeJwt } from 'jose'
import { authenticate, PASSWORD, randomName, register, signInWithPassword, signUp } from '../../support/accounts'
import { expectError, expectNoSession, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'

test('fields that sign-up and renaming do not have set nothing', async ({ client, authenticator }) => {
  const [username, before] = [randomName(), Date.now()]
  const planted = { id: 'planted', userHandle: 'planted', createdAt: '2001-01-01T00:00:00.000Z', disabled: true }
  const more = { ...planted, sessionEpoch: 7, passwordHash: 'planted', passkeys: [{}], recoveryCodesLeft: 9 }
  expect((await client.post('/api/signup', { username, password: PASSWORD, ...more })).status).toBe(201)
  const account = await expectSignedIn(client)
  expect(account).toMatchObject({ username, passkeys: [], recoveryCodesLeft: 0 })
  expect(JSON.stringify(account)).not.toContain('planted')
  expect(Date.parse(account.createdAt)).toBeGreaterThan(before - 30_000)
  expect(decodeJwt(client.jar.get('latchkey-session') ?? '').epoch).toBe(0)

  const { passkey } = (await register(client, authenticator)).body
  const renamed = {
    id: passkey.id,
    name: 'Renamed',
    userId: 'planted',
    aaguid: 'planted',
    backedUp: true,
    createdAt: 0,
  }
  expect((await client.post('/api/i/passkeys/rename', renamed)).status).toBe(204)
  expect((await expectSignedIn(client)).passkeys).toEqual([{ ...passkey, name: 'Renamed' }])
})

test('a username keeps the case in which it was typed', async ({ client, another }) => {
  const { username } = await signUp(client, `MiXed.${randomName()}`)
  const answer = await signInWithPassword(another(), username.toUpperCase())
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.user.username).toBe(username)
})

test('a username has 3 to 64 letters, digits and . _ - @ +', async ({ client }) => {
  const unique = randomName().slice(-12)
  const good = [`a.b_c-d@e+f${unique}`, `${unique}@example.org`, `${unique}${'x'.repeat(64 - unique.length)}`, '...']
  for (const username of good) {
    const answer = await client.post('/api/signup', { username, password: PASSWORD })
    // An earlier test of the same worker may have taken a name as short as three characters.
    expect(username === '...' ? [201, 409] : [201], username).toContain(answer.status)
  }
  const bad = ['', 'ab', 'x'.repeat(65), 'with space', 'naïve', 'ﬁne', 'аdmin', 'a\u0000bc', 'a\nbc', 'a/b', 'a"bc']
  for (const username of bad) {
    const answer = await client.post('/api/signup', { username, password: PASSWORD })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields, username).toEqual({ username: expect.stringMatching(/\S/) })
    expectNoSession(answer)
  }
})

test('no one gets a username that begins with a hyphen, and whoever has one keeps it', async ({
  server,
  client,
  another,
  authenticator,
}) => {
  const username = `--${randomName()}`
  const rejected = async (path: string, body: object) => {
    const answer = await client.post(path, { username, ...body })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: 'Begin with a letter or a number.' })
  }
  await rejected('/api/signup', { password: PASSWORD })
  await rejected('/api/auth/register/options', {})
  await signUp(client)
  await rejected('/api/i/username', {})

  const row = { username, passwordHash: hashSync(PASSWORD, 4) }
  expect(await importRows(server, [row])).toMatchObject({ code: 0, answer: { created: 1 } })
  const owner = another()
  expect((await signInWithPassword(owner, username)).status).toBe(200)
  expect((await register(owner, authenticator, username)).status).toBe(201)
  expect((await authenticate(another(), authenticator, username)).body.user).toMatchObject({ username })
})

test('an invalid request names every invalid field', async ({ client }) => {
  for (const body of [
    {},
    { username: 1, password: null },
    { username: 'x', password: 'short' },
    { username: [], password: {} },
  ]) {
    for (const path of ['/api/signup', ...('password' in body && body.password === 'short' ? [] : ['/api/signin'])]) {
      const answer = await client.post(path, body)
      expectError(answer, 400, 'invalid_request')
      expect(Object.keys(answer.body.fields).sort(), `${path} ${JSON.stringify(body)}`).toEqual([
        'password',
        'username',
      ])
    }
  }
})
