import { join } from 'node:path'
import {
  authenticationOptions,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
} from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { JWT_SECRET } from '../../support/secret'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Of simultaneous answers, one created something. On a busy machine some may have waited too long for their turn. */
function expectOneMade(answers: Answer[]) {
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  for (const { status, text } of answers) expect([201, 409, 503], text).toContain(status)
}

test('of six sign-ups by password and six by passkey with one username at once, in any case, one creates an account @storage @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const username = randomName()
  const options = await Promise.all(Array.from({ length: 6 }, () => registrationOptions(client, username)))
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, index) => {
      const name = index % 2 === 0 ? username : username.toUpperCase()
      return another().post('/api/signup', { username: name, password: `password number ${index}` })
    }),
    ...options.map((each) => another().post('/api/auth/register/verify', authenticator.create(each))),
  ])
  expectOneMade(answers)
  const winner = answers.findIndex(({ status }) => status === 201)
  const made = answers[winner]?.body
  if (winner < 6)
    expect((await signInWithPassword(another(), username, `password number ${winner}`)).body.user).toEqual(made.user)
  expect(await expectSignedIn(another({ bearer: made.token }))).toMatchObject({ hasPassword: winner < 6 })
})

test('registering one passkey under ten usernames at once creates one account and frees the other usernames @storage', async ({
  client,
  another,
  authenticator,
}) => {
  const names = Array.from({ length: 10 }, () => randomName())
  const options = await Promise.all(names.map((name) => registrationOptions(client, name)))
  const id = Buffer.from(randomName()).toString('base64url')
  const answers = await Promise.all(
    options.map((each) => another().post('/api/auth/register/verify', authenticator.create(each, { id }))),
  )
  expectOneMade(answers)
  const losers = names.filter((_, index) => answers[index]?.status !== 201)
  // A sample, because each takes a hash.
  await Promise.all(losers.slice(0, 4).map((name) => signUp(another(), name)))
})

test('two servers that start at once on an empty database share accounts, sessions, rate limits and consumed challenges @storage @promise', async ({
  start,
  emptyStores,
}) => {
  const file = join(temporaryFolder('two-servers'), 'latchkey.db')
  const env = { DATABASE_URL: `file:${file}`, ...emptyStores(), JWT_SECRET, APP_ORIGIN: 'http://localhost:3000' }
  const [one, two] = await Promise.all([start({ env }), start({ env })])
  const authenticator = new Authenticator(env.APP_ORIGIN)
  for (const [here, across] of [
    [one, two],
    [two, one],
  ] as const) {
    const client = new Client(here)
    const { token, username } = await signUp(client)
    await expectSignedIn(new Client(across, { bearer: token }))
    expect((await signInWithPassword(new Client(across), username)).status).toBe(200)
    expect((await register(client, authenticator)).status).toBe(201)
    const assertion = authenticator.get(await authenticationOptions(new Client(here)))
    expect((await new Client(across).post('/api/auth/login/verify', assertion)).status).toBe(200)
    for (const server of [one, two])
      expect((await new Client(server).post('/api/auth/login/verify', assertion)).status).toBe(401)
    await client.post('/api/signout')
    await expectSignedOut(new Client(across, { bearer: token }))
  }
  const { username: victim } = await signUp(new Client(one))
  const attempts = Array.from({ length: 20 }, (_, index) =>
    signInWithPassword(new Client(index % 2 === 0 ? one : two), victim, 'wrong password'),
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(15).fill(429)])
})
