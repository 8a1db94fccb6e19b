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

test('a sign-up with a common password is rejected, whatever its case, signs for letters and digits at its end', async ({
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

test("a sign-up with the username, the app's name or its host as the password is rejected", async ({ start }) => {
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

test('a change to a common password or the username is rejected before the current password is checked', async ({
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

test('a common password that is in use still signs in', async ({ start }) => {
  const server = await start({ env: { BCRYPT_COST: '10' } })
  const client = new Client(server)
  const { username } = await signUp(client)
  executeSql(server.databaseUrl, `UPDATE "User" SET "passwordHash" = '${hashSync('password1', 10)}'`)
  expect((await signInWithPassword(new Client(server), username, 'password1')).status).toBe(200)
})

test('PASSWORD_MIN_LENGTH decides how long a new password is, and what signs in stays as it was', async ({ start }) => {
  const before = await start()
  const { username, password } = await signUp(new Client(before), randomName(), 'blue kettle')
  const server = await start({ beside: before, env: { PASSWORD_MIN_LENGTH: '15' } })
  const client = new Client(server)
  await expectRejected(client, randomName(), 'fourteen chars', /at least 15 characters/)
  await signUp(new Client(server), randomName(), 'fifteen chars..')
  await signUp(new Client(server), randomName(), '😀'.repeat(15))
  expect((await signInWithPassword(client, username, password)).status).toBe(200)
  const answer = await client.post('/api/i/password', { password: 'fourteen chars', currentPassword: password })
  expect(answer.body.fields).toEqual({ password: expect.stringMatching(/at least 15 characters/) })
})

test('a sign-up with a bad username and a short password is told of both at once', async ({ client }) => {
  const answer = await client.post('/api/signup', { username: '!', password: 'short' })
  expectError(answer, 400, 'invalid_request')
  expect(Object.keys(answer.body.fields).sort()).toEqual(['password', 'username'])
})

test('passwords that are refused count as attempts of the address, since telling that they are common takes time', async ({
  start,
}) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3' } })
  const client = new Client(server)
  const signUpWith = (password: string) => client.post('/api/signup', { username: randomName(), password })
  for (let time = 0; time < 3; time += 1) expectError(await signUpWith('Password123!'), 400, 'invalid_request')
  expectError(await signUpWith('Password123!'), 429, 'too_many_attempts')
})

test('passwords that are refused count as changes of the session', async ({ start }) => {
  const server = await start({ env: { RATE_LIMIT_LOGIN_MAX: '1' } })
  const client = new Client(server)
  await signUp(client)
  const change = () => client.post('/api/i/password', { password: 'Password123!', currentPassword: PASSWORD })
  for (let time = 0; time < 12; time += 1) expectError(await change(), 400, 'invalid_request')
  expectError(await change(), 429, 'too_many_attempts')
})
