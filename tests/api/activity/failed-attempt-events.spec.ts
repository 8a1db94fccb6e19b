import {
  authenticate,
  changePassword,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../../support/accounts'
import type { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expect, test } from '../../support/fixtures'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36'

/** The events of one type: one, or two if the hour changed meanwhile. */
async function eventsOfType(client: Client, type: string) {
  const rows = (await eventsOf(client)).filter((event) => event.type === type)
  expect(rows.length).toBeLessThanOrEqual(2)
  return rows
}

/** How many attempts the events of a type stand for. */
const countOf = async (client: Client, type: string) =>
  (await eventsOfType(client, type)).reduce((sum, { count = 0 }) => sum + count, 0)

test('failed sign-ins by any method, and wrong current passwords, are counted in one event', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const stranger = another({ headers: { 'User-Agent': CHROME } })
  await signInWithRecoveryCode(stranger, username, 'AAAA-BBBB-CCCC-DDDD')
  await expect.poll(() => eventsOfType(client, 'signin_failed')).toMatchObject([{ count: 1, method: 'recovery' }])
  for (let time = 0; time < 3; time += 1) await signInWithPassword(stranger, username, WRONG_PASSWORD)
  await expect.poll(() => countOf(client, 'signin_failed')).toBe(4)
  const [newest] = await eventsOfType(client, 'signin_failed')
  expect(newest).toMatchObject({ method: 'pwd', browser: 'Chrome on Windows' })
  await changePassword(client, 'another good password', WRONG_PASSWORD)
  await expect.poll(() => countOf(client, 'signin_failed')).toBe(5)
})

test("a failed passkey sign-in is an event of the passkey's owner", async ({ client, another, authenticator }) => {
  await signUpWithPasskey(client, authenticator)
  expect((await authenticate(another(), authenticator, undefined, { corruptSignature: true })).status).toBe(401)
  await expect.poll(() => eventsOfType(client, 'signin_failed')).toMatchObject([{ count: 1, method: 'passkey' }])
})

test('attempts over the limit are counted in one event', async ({ client, another }) => {
  const { username } = await signUp(client)
  await Promise.all(Array.from({ length: 15 }, () => signInWithPassword(another(), username, WRONG_PASSWORD)))
  await expect.poll(() => countOf(client, 'signin_failed')).toBe(5)
  await expect.poll(() => countOf(client, 'locked_out')).toBe(10)
  expect((await eventsOf(client)).length).toBeLessThanOrEqual(5)
})

test('events leave out attempts on a username before it was taken, and on other accounts', async ({
  client,
  another,
}) => {
  const username = randomName()
  for (let time = 0; time < 2; time += 1) await signInWithPassword(another(), username, WRONG_PASSWORD)
  await signUp(client, username)
  const neighbour = another()
  const other = await signUp(neighbour)
  await signInWithPassword(another(), other.username, WRONG_PASSWORD)
  await expect.poll(async () => (await eventsOf(neighbour)).length).toBe(2)
  expect((await eventsOf(client)).map(({ type }) => type)).toEqual(['account_created'])
})
