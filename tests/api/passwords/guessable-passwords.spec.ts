import { hashSync } from 'bcryptjs'
import { PASSWORD, randomName, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { executeSql } from '../../support/storage/sql'

async function expectRejected(client: Client, username: string, password: string, sentence: RegExp) {
  const answer = await client.post('/api/signup', { username, password })
  expectError(answer, 400, 'invalid_request')
  expect(answer.body.fields, password).toEqual({ password: expect.stringMatching(sentence) })
}

const COMMON = /attackers try/
const NAME = /username/

test('a sign-up with a common password is rejected, whatever its case, signs for letters and digits at its end @promise', async ({
  client,
}) => {
  for (const password of [
    'password',
    'PassWord',
    'password2026',
    '12345678',
    'iloveyou',
    'Trustno12345',
    'P@$$w0rd',
    'Pass@123',
  ])
    await expectRejected(client, randomName(), password, COMMON)
})

test("a sign-up with the username, the app's name or its host as the password is rejected @promise", async ({
  start,
}) => {
  const server = await start({
    env: { APP_NAME: 'Acme Rockets', APP_ORIGIN: 'https://id.rockets.example', RP_ID: 'rockets.example' },
  })
  const client = new Client(server)
  for (const password of [
    'Grace-Hopper',
    'grace-hopper77',
    'Acme Rockets',
    'acmerockets2026',
    'id.rockets.example',
    'Rockets.Example1',
    'Gr@ce-H0pper!',
  ])
    await expectRejected(client, 'grace-hopper', password, NAME)
  await expectRejected(client, 'grace.h7@mail.example', 'Grace.H2026', NAME)
  await expectRejected(client, '5551234567', '555123456789', NAME)
  await signUp(client, 'grace-hopper', 'grace-hopper on a bridge')
})

test('a change to a common password or the username is rejected before the current password is checked @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  for (const [password, sentence] of [
    ['Sunshine1', COMMON],
    [username.toUpperCase(), NAME],
  ] as const) {
    const answer = await client.post('/api/i/password', { password, currentPassword: PASSWORD })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ password: expect.stringMatching(sentence) })
  }
  expect((await signInWithPassword(another(), username)).status).toBe(200)
})

test('a common password that is in use still signs in', async ({ server, client, another }) => {
  const { username, id } = await signUp(client)
  const hash = hashSync('password1', 4)
  executeSql(server.databaseUrl, `UPDATE "User" SET "passwordHash" = '${hash}' WHERE "id" = '${id}'`)
  expect((await signInWithPassword(another(), username, 'password1')).status).toBe(200)
})

test('PASSWORD_MIN_LENGTH decides how long a new password is, and what signs in stays as it was', async ({
  server,
  client,
  start,
}) => {
  const { username, password } = await signUp(client, randomName(), 'blue kettle')
  const strict = await start({ beside: server, env: { PASSWORD_MIN_LENGTH: '15', RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const later = new Client(strict)
  await expectRejected(later, randomName(), 'fourteen chars', /at least 15 characters/)
  await signUp(new Client(strict), randomName(), 'fifteen chars..')
  await signUp(new Client(strict), randomName(), '😀'.repeat(15))
  expect((await signInWithPassword(later, username, password)).status).toBe(200)
  const answer = await later.post('/api/i/password', { password: 'fourteen chars', currentPassword: password })
  expect(answer.body.fields).toEqual({ password: expect.stringMatching(/at least 15 characters/) })
})

test('passwords that are refused count as changes of the session, or attempts of the address, since telling that they are common takes time', async ({
  start,
}) => {
  const client = new Client(await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3', RATE_LIMIT_LOGIN_MAX: '1' } }))
  await signUp(client)
  const password = 'Password123!'
  const change = () => client.post('/api/i/password', { password, currentPassword: PASSWORD })
  for (let time = 0; time < 12; time += 1) expectError(await change(), 400, 'invalid_request')
  expectError(await change(), 429, 'too_many_attempts')
  const signUpWith = () => client.post('/api/signup', { username: randomName(), password })
  // The account was the first.
  for (let time = 0; time < 2; time += 1) expectError(await signUpWith(), 400, 'invalid_request')
  expectError(await signUpWith(), 429, 'too_many_attempts')
})
