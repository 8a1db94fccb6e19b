import { hashSync } from 'bcryptjs'
import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson } from '../../support/operator/accounts-command'

const timesOf = async (client: Client) => {
  const { passwordSetAt, recoveryCodesMadeAt } = await expectSignedIn(client)
  return { passwordSetAt, recoveryCodesMadeAt }
}

/** Runs an action. @returns whether a time lies within it */
async function during(action: () => Promise<unknown>) {
  const start = new Date().toISOString()
  await action()
  const end = new Date().toISOString()
  return (time: string | null) => time !== null && start <= time && time <= end
}

test('/api/i says when the password was set, until it is removed', async ({ server, client, authenticator }) => {
  const username = randomName()
  const signedUp = await during(() => signUp(client, username))
  const first = (await timesOf(client)).passwordSetAt
  expect(signedUp(first), first).toBe(true)
  await register(client, authenticator)
  expect((await timesOf(client)).passwordSetAt).toBe(first)

  const changed = await during(() => changePassword(client, NEW_PASSWORD, PASSWORD))
  const second = (await timesOf(client)).passwordSetAt
  expect(changed(second), second).toBe(true)

  expect((await signInWithPassword(client, username, NEW_PASSWORD)).status).toBe(200)
  expect((await client.post('/api/i/password/remove')).status).toBe(204)
  expect((await timesOf(client)).passwordSetAt).toBeNull()
  // Nor is it kept unseen.
  expect((await accountsJson(server, 'export', username)).passwordSetAt).toBeNull()
  expect((await authenticate(client, authenticator)).status).toBe(200)
  const set = await during(() => changePassword(client, PASSWORD))
  const third = (await timesOf(client)).passwordSetAt
  expect(set(third), third).toBe(true)
})

test('/api/i, accounts show and export say when the recovery codes that are left were made', async ({
  server,
  client,
  another,
}) => {
  const { username } = await signUp(client)
  expect((await timesOf(client)).recoveryCodesMadeAt).toBeNull()
  let codes: string[] = []
  const made = await during(async () => {
    codes = await createRecoveryCodes(client)
  })
  const first = (await timesOf(client)).recoveryCodesMadeAt
  expect(made(first), first).toBe(true)

  for (const code of codes) {
    expect((await timesOf(client)).recoveryCodesMadeAt).toBe(first)
    expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
  }
  expect((await timesOf(client)).recoveryCodesMadeAt).toBeNull()
  for (const command of ['show', 'export'])
    expect((await accountsJson(server, command, username)).recoveryCodesMadeAt, command).toBeNull()
  const again = await during(() => createRecoveryCodes(client))
  const second = (await timesOf(client)).recoveryCodesMadeAt
  expect(again(second), second).toBe(true)
  for (const command of ['show', 'export'])
    expect(await accountsJson(server, command, username)).toMatchObject(await timesOf(client))
  const { passwordSetAt } = await timesOf(client)
  const { stdout } = await accounts(server, 'show', username)
  expect(stdout).toContain(`password        yes, set ${passwordSetAt}`)
  expect(stdout).toContain(`recovery codes  10, created ${second}`)
})

test('a password that was imported has no time, and a new hash of it gives none', async ({ server, client }) => {
  const username = randomName()
  await importRows(server, [{ username, passwordHash: hashSync(PASSWORD, 4) }])
  // The first sign-in replaces the hash.
  for (let time = 0; time < 2; time += 1) expect((await signInWithPassword(client, username)).status).toBe(200)
  expect((await timesOf(client)).passwordSetAt).toBeNull()
})
