import {
  authenticate,
  changeDisplayName,
  registrationOptions,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { createAdministrator } from '../../support/operator/administrators'
import { readSql } from '../../support/storage/sql'

test('a display name is shown with the account until it is removed, and other accounts may have the same', async ({
  client,
  another,
}) => {
  const { username, password, answer: made } = await signUp(client)
  expect(made.body.user.displayName).toBe(null)
  const answer = await changeDisplayName(client, ' Ada “Byte” Lovelace 👩🏽‍💻 ')
  expect(answer.status, answer.text).toBe(200)
  const displayName = 'Ada “Byte” Lovelace 👩🏽‍💻'
  expect(answer.body).toEqual({ user: { ...made.body.user, displayName } })
  expect((await expectSignedIn(client)).displayName).toBe(displayName)
  expect((await signInWithPassword(another(), username, password)).body.user.displayName).toBe(displayName)
  const other = another()
  await signUp(other)
  expect((await changeDisplayName(other, displayName)).status).toBe(200)
  expect((await changeDisplayName(client, null)).body).toEqual({ user: made.body.user })
  expect((await expectSignedIn(client)).displayName).toBe(null)
  expect((await eventsOf(client)).map(({ type }) => type)).toEqual([
    ...['name_changed', 'signed_in', 'name_changed', 'account_created'],
  ])
})

test('a display name is kept in NFC, and in lower case to search by', async ({ client, server }) => {
  const { id } = await signUp(client)
  expect((await changeDisplayName(client, 'ZOE\u0308')).body.user.displayName).toBe('ZO\u00cb')
  const rows = readSql(server.databaseUrl, `SELECT "displayNameKey" FROM "User" WHERE "id" = '${id}'`)
  expect(rows).toEqual(['zo\u00eb'])
})

test('a passkey is made under the display name, and under the username without one', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  expect((await registrationOptions(client)).user).toMatchObject({ name: username, displayName: username })
  await changeDisplayName(client, 'Ada Lovelace')
  expect((await registrationOptions(client)).user).toMatchObject({ name: username, displayName: 'Ada Lovelace' })
  expect((await authenticate(another(), authenticator)).body.user).toMatchObject({ displayName: 'Ada Lovelace' })
})

test('a display name that cannot be shown is answered 400 with a sentence about it, and changes nothing', async ({
  client,
}) => {
  await signUp(client)
  expect((await changeDisplayName(client, 'Ada')).status).toBe(200)
  const long = 'é'.repeat(65)
  const blank = ['', '  ', '\u200b', '\u2800', '\u3164', '\u0301', '\ue000', '\u{e0041}']
  const control = ['Ada\nByron', 'a\u0000b', '\u202eadA', 'a\u2028b', 'a\u061cb', '\ud800', 'a\udc00b']
  for (const bad of [
    long,
    long.normalize('NFD'),
    'a'.repeat(60_000),
    ...blank,
    ...control,
    7,
    {},
    ['Ada'],
    undefined,
  ]) {
    const answer = await changeDisplayName(client, bad)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ displayName: expect.stringMatching(/\S/) })
  }
  const longest = ['é'.repeat(64).normalize('NFD'), '𝒶'.repeat(64), `${'ᾂ'.repeat(64).normalize('NFD')}`]
  for (const good of longest)
    expect((await changeDisplayName(client, good)).body.user.displayName).toHaveLength(
      [...good.normalize('NFC')].join('').length,
    )
  expect((await expectSignedIn(client)).displayName).toBe('ᾂ'.repeat(64))
})

test('display names count among the writes of a session, and an unchanged one does not', async ({ client }) => {
  await signUp(client)
  for (let time = 0; time < 60; time += 1) expect((await changeDisplayName(client, `Ada ${time}`)).status).toBe(200)
  expect((await changeDisplayName(client, 'Ada 59')).status).toBe(200)
  expectError(await changeDisplayName(client, 'Grace'), 429, 'too_many_attempts')
})

test("an administrator changes somebody's display name, which its owner and the operators' log tell", async ({
  server,
  client,
}) => {
  const administrator = await createAdministrator(server)
  const { id, username } = await signUp(client)
  const rename = (displayName: unknown) => administrator.client.post('/api/admin/accounts/name', { id, displayName })
  expect((await rename('Ada')).body.user).toMatchObject({ id, username, displayName: 'Ada' })
  expect((await rename('Ada')).status).toBe(200)
  for (const bad of ['', '\u202eadA', 7, undefined]) {
    const answer = await rename(bad)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields).toEqual({ displayName: expect.stringMatching(/\S/) })
  }
  const { log } = (await administrator.client.post('/api/admin/log', { account: id })).body
  expect(log).toMatchObject([{ what: 'name_changed', by: administrator.id }])
  expect(await eventsOf(client, 'changes')).toMatchObject([{ type: 'name_changed', method: 'operator' }])
})
