import {
  createRecoveryCodes,
  PASSWORD,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

/** A well-formed code that no account has. */
const UNKNOWN = 'AAAA-BBBB-CCCC-DDDD'

test('a wrong recovery code, that of another account, an unknown username and an account without codes get the answer to a wrong password', async ({
  client,
  another,
  authenticator,
}) => {
  const { username } = await signUp(client)
  await createRecoveryCodes(client)
  const without = await signUpWithPasskey(another(), authenticator)
  const other = another()
  const { username: otherName } = await signUp(other)
  const [theirs] = await createRecoveryCodes(other)
  const wrongPassword = await signInWithPassword(another(), username, `${PASSWORD}!`)
  for (const answer of [
    await signInWithRecoveryCode(another(), username, UNKNOWN),
    await signInWithRecoveryCode(another(), username, theirs),
    await signInWithRecoveryCode(another(), username, 'nonsense'),
    await signInWithRecoveryCode(another(), randomName(), UNKNOWN),
    await signInWithRecoveryCode(another(), without.username, UNKNOWN),
  ]) {
    expectAuthenticationFailed(answer)
    expect(answer.text).toBe(wrongPassword.text)
    expect(Object.keys(answer.headers).sort()).toEqual(Object.keys(wrongPassword.headers).sort())
  }
  // It stays good for its owner.
  expect((await signInWithRecoveryCode(another(), otherName, theirs)).status).toBe(200)
})

test('wrong recovery codes lock no account, and passwords do not lock its recovery codes', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  const [code] = await createRecoveryCodes(client)
  for (let time = 0; time < 7; time += 1)
    expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, UNKNOWN))
  for (let time = 0; time < 5; time += 1)
    expectAuthenticationFailed(await signInWithPassword(another(), username, 'a wrong one'))
  expectError(await signInWithPassword(another(), username), 429, 'too_many_attempts')
  expect((await signInWithRecoveryCode(another(), username, code)).status).toBe(200)
})

test('of concurrent wrong recovery codes from one address each counts, and a right one signs in past the limit @storage @promise', async ({
  start,
}) => {
  const server = await start({ env: { RATE_LIMIT_ADDRESS_MAX: '3', TRUSTED_PROXIES: '1' } })
  const from = (address: string) => new Client(server, { headers: { 'X-Forwarded-For': address } })
  const owner = from('198.51.100.1')
  const { username } = await signUp(owner)
  const [code] = await createRecoveryCodes(owner)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => signInWithRecoveryCode(from('198.51.100.2'), username, UNKNOWN)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(401), ...Array(17).fill(429)])
  expectAuthenticationFailed(await signInWithRecoveryCode(from('198.51.100.3'), username, UNKNOWN))
  expect((await signInWithRecoveryCode(from('198.51.100.2'), username, code)).status).toBe(200)
  expectError(await signInWithRecoveryCode(from('198.51.100.2'), username, code), 429, 'too_many_attempts')
  // What does not count is no event of the account's either: three failures of one address, and one of another.
  const failures = async () => {
    const { events } = (await owner.post('/api/i/events')).body
    return events.find(({ type }: { type: string }) => type === 'signin_failed')?.count
  }
  await expect.poll(failures).toBe(4)
})
