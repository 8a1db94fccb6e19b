import { NEW_PASSWORD, PASSWORD, randomName, signInWithPassword, signUp, WRONG_PASSWORD } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { takeLock } from '../../support/storage/database-lock'
import { readSql } from '../../support/storage/sql'

test('a username that was copied with spaces or invisible characters signs up and in', async ({ client, another }) => {
  const username = randomName()
  await signUp(client, `\u200b${username}\u00a0`)
  expect((await expectSignedIn(client)).username).toBe(username)
  const answer = await signInWithPassword(another(), `\u2060\ufeff ${username}\u200e`)
  expect(answer.status, answer.text).toBe(200)
})

test('a password sign-in revokes the session that it replaces @promise', async ({ client, another }) => {
  const { username, token } = await signUp(client)
  const { username: other } = await signUp(another())
  let replaced = token
  for (const name of [username, other]) {
    const answer = await signInWithPassword(client, name)
    expect(answer.body.user.username).toBe(name)
    await expectSignedOut(another({ bearer: replaced }))
    await expectSignedIn(another({ bearer: answer.body.token }))
    replaced = answer.body.token
  }
})

test('on PostgreSQL, an account that is deleted while its password is rehashed is answered as an unknown one, and a password that is changed meanwhile stays changed', {
  tag: '@networked',
}, async ({ start }) => {
  const cheap = await start({ env: { BCRYPT_COST: '10' } })
  const [gone, changing] = [await signUp(new Client(cheap)), await signUp(new Client(cheap))]
  const { id } = await signUp(new Client(cheap), randomName(), NEW_PASSWORD)
  const expensive = await start({ beside: cheap, env: { BCRYPT_COST: '11' } })
  const changed = `(SELECT "passwordHash" FROM "User" WHERE "id" = '${id}')`
  for (const [{ username }, statement] of [
    [gone, `DELETE FROM "User" WHERE "id" = '${gone.id}'`],
    [changing, `UPDATE "User" SET "passwordHash" = ${changed} WHERE "id" = '${changing.id}'`],
  ] as const) {
    const held = await takeLock(cheap.databaseUrl, statement)
    const signingIn = signInWithPassword(new Client(expensive), username)
    await held.untilWaiting(1)
    await held.release()
    expectAuthenticationFailed(await signingIn)
  }
  expect((await signInWithPassword(new Client(cheap), changing.username, NEW_PASSWORD)).status).toBe(200)
})

test('raising BCRYPT_COST rehashes a password at its next sign-in', async ({ start }) => {
  const cheap = await start({ env: { BCRYPT_COST: '10' } })
  const { username } = await signUp(new Client(cheap))
  const hash = () => readSql(cheap.databaseUrl, 'SELECT "passwordHash" FROM "User"')
  expect(hash()).toEqual([expect.stringContaining('$10$')])
  const expensive = await start({ beside: cheap, env: { BCRYPT_COST: '11' } })
  for (let time = 0; time < 2; time += 1) {
    expect((await signInWithPassword(new Client(expensive), username, PASSWORD)).status).toBe(200)
    expectAuthenticationFailed(await signInWithPassword(new Client(expensive), username, WRONG_PASSWORD))
  }
  expect(hash()).toEqual([expect.stringContaining('$11$')])
  expect((await signInWithPassword(new Client(cheap), username, PASSWORD)).status).toBe(200)
})
