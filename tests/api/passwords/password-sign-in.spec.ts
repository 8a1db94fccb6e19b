import { NEW_PASSWORD, PASSWORD, randomName, signInWithPassword, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { takeLock } from '../../support/storage/database-lock'
import { storedText } from '../../support/storage/stored-text'

test('the correct password signs in, whatever the case of the username @storage', async ({ client, another }) => {
  const { username, answer: made } = await signUp(client)
  const page = another({ page: true })
  const answer = await signInWithPassword(page, username.toUpperCase())
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body).toEqual({ user: made.body.user, expiresAt: expect.any(String), stepUp: expect.any(String) })
  const me = await expectSignedIn(page)
  expect(me.session).toEqual({ expiresAt: answer.body.expiresAt, methods: ['pwd'] })
})

test('a username that was copied with spaces or invisible characters signs up and in', async ({ client, another }) => {
  const username = randomName()
  await signUp(client, `\u200b${username}\u00a0`)
  expect((await expectSignedIn(client)).username).toBe(username)
  const answer = await signInWithPassword(another(), `\u2060\ufeff ${username}\u200e`)
  expect(answer.status, answer.text).toBe(200)
})

test('a password sign-in revokes the session that it replaces', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const answer = await signInWithPassword(client, username)
  expect(answer.status).toBe(200)
  await expectSignedOut(another({ bearer: token }))
  await expectSignedIn(another({ bearer: answer.body.token }))
})

test('signing in to another account revokes the session that it replaces', async ({ client, another }) => {
  const first = await signUp(client)
  const second = await signUp(another())
  const answer = await signInWithPassword(client, second.username)
  expect(answer.body.user.id).toBe(second.id)
  await expectSignedOut(another({ bearer: first.token }))
  await expectSignedIn(another({ bearer: second.token }))
})

test('on PostgreSQL, an account that is deleted while its password is rehashed is answered as an unknown one', {
  tag: '@networked',
}, async ({ start }) => {
  const cheap = await start({ env: { BCRYPT_COST: '10' } })
  const { username, id } = await signUp(new Client(cheap))
  const expensive = await start({ beside: cheap, env: { BCRYPT_COST: '11' } })
  const held = await takeLock(cheap.databaseUrl, `DELETE FROM "User" WHERE "id" = '${id}'`)
  const signingIn = signInWithPassword(new Client(expensive), username)
  await held.untilWaiting(1)
  await held.release()
  expectAuthenticationFailed(await signingIn)
})

test('on PostgreSQL, a password that is changed while it is rehashed stays changed', { tag: '@networked' }, async ({
  start,
}) => {
  const cheap = await start({ env: { BCRYPT_COST: '10' } })
  const { username, id } = await signUp(new Client(cheap))
  const other = await signUp(new Client(cheap), randomName(), NEW_PASSWORD)
  const expensive = await start({ beside: cheap, env: { BCRYPT_COST: '11' } })
  const changed = `(SELECT "passwordHash" FROM "User" WHERE "id" = '${other.id}')`
  const held = await takeLock(cheap.databaseUrl, `UPDATE "User" SET "passwordHash" = ${changed} WHERE "id" = '${id}'`)
  const signingIn = signInWithPassword(new Client(expensive), username)
  await held.untilWaiting(1)
  await held.release()
  expectAuthenticationFailed(await signingIn)
  expect((await signInWithPassword(new Client(cheap), username, NEW_PASSWORD)).status).toBe(200)
})

test('raising BCRYPT_COST rehashes a password at its next sign-in', async ({ start }) => {
  const cheap = await start({ env: { BCRYPT_COST: '10' } })
  const { username } = await signUp(new Client(cheap))
  expect(storedText(cheap)).not.toContain('$11$')
  const expensive = await start({ beside: cheap, env: { BCRYPT_COST: '11' } })
  for (let time = 0; time < 2; time += 1) {
    expect((await signInWithPassword(new Client(expensive), username, PASSWORD)).status).toBe(200)
    expectAuthenticationFailed(await signInWithPassword(new Client(expensive), username, WRONG_PASSWORD))
  }
  expect(storedText(cheap)).toContain('$11$')
  expect((await signInWithPassword(new Client(cheap), username, PASSWORD)).status).toBe(200)
})
