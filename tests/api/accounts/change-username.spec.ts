import {
  authenticate,
  changeUsername,
  randomName,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

test('after a change the new username signs in and the old one does not @storage', async ({ client, another }) => {
  const { username, answer: made } = await signUp(client)
  const next = randomName()
  const answer = await changeUsername(client, next)
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({ user: { ...made.body.user, username: next } })
  expect(answer.cookies).toEqual([])
  expect((await expectSignedIn(client)).username).toBe(next)
  expect((await signInWithPassword(another(), next)).body.user.id).toBe(made.body.user.id)
  expectAuthenticationFailed(await signInWithPassword(another(), username))
})

test('a passkey keeps working after the username changed', async ({ client, another, authenticator }) => {
  const { username, id } = await signUpWithPasskey(client, authenticator)
  const next = randomName()
  expect((await changeUsername(client, next)).status).toBe(200)
  expect((await authenticate(another(), authenticator)).body.user).toMatchObject({ id, username: next })
  expect((await authenticate(another(), authenticator, next.toUpperCase())).status).toBe(200)
  expectAuthenticationFailed(await authenticate(another(), authenticator, username))
})

test('a user may change the case of their username, or submit the same one @storage', async ({ client, another }) => {
  const { username, id } = await signUp(client)
  for (const next of [username.toUpperCase(), username, username]) {
    const answer = await changeUsername(client, next)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.user).toMatchObject({ id, username: next })
  }
  expect((await signInWithPassword(another(), username)).status).toBe(200)
})

test("changing to another account's username, in any case, is answered 409 and changes nothing @storage", async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const { username: theirs } = await signUp(another())
  for (const taken of [theirs, theirs.toUpperCase()]) {
    expectError(await changeUsername(client, taken), 409, 'username_taken')
  }
  expect((await expectSignedIn(client)).username).toBe(username)
  expect((await signInWithPassword(another(), theirs)).status).toBe(200)
})

test('changing to an invalid username is answered 400 and changes nothing', async ({ client }) => {
  const { username } = await signUp(client)
  for (const bad of ['', 'ab', 'x'.repeat(65), 'two words', 'ünïcode', 'a\u0000b', 7, null, {}, undefined]) {
    const answer = await changeUsername(client, bad)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ username: expect.stringMatching(/\S/) })
  }
  expect((await expectSignedIn(client)).username).toBe(username)
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

test('two equal changes at once are one in the activity @storage', async ({ client }) => {
  await signUp(client)
  const wanted = randomName()
  const answers = await Promise.all([0, 1].map(() => changeUsername(client, wanted)))
  for (const { status, body } of answers) expect([status, body.user?.username]).toEqual([200, wanted])
  expect((await eventsOf(client)).map(({ type }) => type)).toEqual(['username_changed', 'account_created'])
})

test('requests for taken usernames count towards the address limit, beyond which free ones look the same @promise', async ({
  start,
}) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '6' } })
  const [one, two] = [new Client(server), new Client(server)]
  const { username: taken } = await signUp(one)
  await signUp(two)
  const statuses = []
  for (let time = 0; time < 5; time += 1) statuses.push((await changeUsername(two, taken)).status)
  expect(statuses).toEqual([409, 409, 409, 409, 429])
  expectError(await changeUsername(two, randomName()), 429, 'too_many_attempts')
})

test('changes to free usernames are not limited', async ({ start }) => {
  const client = new Client(await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } }))
  await signUp(client)
  for (let time = 0; time < 6; time += 1) expect((await changeUsername(client, randomName())).status).toBe(200)
})
