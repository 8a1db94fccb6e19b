import { authenticate, changeUsername, randomName, register, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

test('after a change, also of case alone, the new username signs in with password and passkey, and the old one does not', async ({
  client,
  another,
  authenticator,
}) => {
  const { username, id, answer: made } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const next = randomName()
  for (const name of [username, next.toUpperCase(), next, next]) {
    const answer = await changeUsername(client, name)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toEqual({ user: { ...made.body.user, username: name } })
    expect(answer.cookies).toEqual([])
  }
  expect((await expectSignedIn(client)).username).toBe(next)
  for (const name of [undefined, next.toUpperCase()])
    expect((await authenticate(another(), authenticator, name)).body.user).toMatchObject({ id, username: next })
  expect((await signInWithPassword(another(), next)).body.user.id).toBe(id)
  expectAuthenticationFailed(await authenticate(another(), authenticator, username))
  expectAuthenticationFailed(await signInWithPassword(another(), username))
  for (const bad of ['', 'two words', 7, undefined]) {
    const answer = await changeUsername(client, bad)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
  }
})

test('of ten accounts that claim one username at once exactly one gets it @storage @promise', async ({ another }) => {
  const clients = Array.from({ length: 10 }, () => another())
  const made: Awaited<ReturnType<typeof signUp>>[] = []
  for (const client of clients) made.push(await signUp(client))
  const wanted = randomName()
  const answers = await Promise.all(
    clients.map((client, index) => changeUsername(client, index % 2 === 0 ? wanted : wanted.toUpperCase())),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect((await signInWithPassword(another(), wanted)).body.user.id).toBe(made[winner]?.id)
  const names = await Promise.all(clients.map(async (client) => (await expectSignedIn(client)).username))
  const kept = made.map(({ username }) => username)
  expect(names.filter((_, index) => index !== winner)).toEqual(kept.filter((_, index) => index !== winner))
})

test('two equal changes at once are one in the activity', async ({ client }) => {
  await signUp(client)
  const wanted = randomName()
  const answers = await Promise.all([0, 1].map(() => changeUsername(client, wanted)))
  for (const { status, body } of answers) expect([status, body.user?.username]).toEqual([200, wanted])
  expect((await eventsOf(client)).map(({ type }) => type)).toEqual(['username_changed', 'account_created'])
})

test('requests for taken usernames count towards the address limit, beyond which free ones look the same, and changes do not count @promise', async ({
  start,
}) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '6' } })
  const [one, two] = [new Client(server), new Client(server)]
  const { username: taken } = await signUp(one)
  await signUp(two)
  for (let time = 0; time < 7; time += 1) expect((await changeUsername(two, randomName())).status).toBe(200)
  const statuses = []
  for (let time = 0; time < 5; time += 1) statuses.push((await changeUsername(two, taken)).status)
  expect(statuses).toEqual([409, 409, 409, 409, 429])
  expectError(await changeUsername(two, randomName()), 429, 'too_many_attempts')
})
