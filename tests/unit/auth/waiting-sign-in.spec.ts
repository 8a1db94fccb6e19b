import '../../support/unit/environment'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { newUserId } from '@/lib/auth/account'
import { changePassword } from '@/lib/auth/passwords/change-password'
import { waitingHashes } from '@/lib/auth/passwords/hash-queue'
import { changePasswordRules } from '@/lib/auth/passwords/password-rules'
import { signInWithPassword } from '@/lib/auth/passwords/password-sign-in'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import { database } from '@/lib/database/client'
import { start } from '@/lib/lifecycle'
import { settings } from '@/lib/settings/settings'
import { occupyPlaces } from '../../support/unit/hash-places'

const password = 'correct horse'
const passwordHash = hashSync(password, settings().bcryptCost)
const context = {
  ...{ address: '198.51.100.1', userAgent: null, requestId: 'request', signal: undefined, language: 'en' },
  ...{ session: null, device: null, stepUp: null, recovery: null },
}

test.beforeAll(() => start())

const newName = () => `ada-${newUserId().toLowerCase()}`

async function createAccount(username = newName()) {
  const user = { id: newUserId(), username, usernameKey: username }
  await (await database()).user.create({ data: { ...user, passwordHash } })
  return user
}

async function update(id: string, data: { username?: string; usernameKey?: string; passwordHash?: string }) {
  await (await database()).user.update({ where: { id }, data })
}

/** Signs in with the password; `meanwhile` runs while the comparison waits for its turn. */
async function signInAfter(username: string, meanwhile: () => Promise<unknown>) {
  const release = occupyPlaces()
  const signingIn = signInWithPassword({ body: { username, password }, context }).catch((error: unknown) => error)
  await expect.poll(waitingHashes).toBe(1)
  await meanwhile()
  await release()
  return signingIn
}

test('a password that is replaced while its comparison waits no longer signs in', async () => {
  const { id, username } = await createAccount()
  const other = hashSync('another password', settings().bcryptCost)
  const answer = await signInAfter(username, () => update(id, { passwordHash: other }))
  expect(answer).toMatchObject({ code: 'authentication_failed' })
})

test('a username that goes to another account while the comparison waits does not sign in to it', async () => {
  const { id, username } = await createAccount()
  const answer = await signInAfter(username, async () => {
    const renamed = newName()
    await update(id, { username: renamed, usernameKey: renamed })
    await createAccount(username)
  })
  expect(answer).toMatchObject({ code: 'authentication_failed' })
})

test('the current password of the account that a username went to changes nothing for the one that had it', async () => {
  const { id, username } = await createAccount()
  // What the request has read before the username went to the other account.
  const claims = { sub: id, jti: id, epoch: 0, amr: ['pwd'], auth_time: 0, iat: 0, exp: 1 }
  const session = { user: { id, username, hasPassword: true }, claims }
  const stepUp = { session, methods: ['pwd'], requireForWaysIn: () => undefined } as unknown as StepUp
  const renamed = newName()
  await update(id, { username: renamed, usernameKey: renamed })
  await createAccount(username)
  const body = changePasswordRules.parse({ password: 'an entirely new one', currentPassword: password })
  await expect(changePassword({ body, stepUp, context })).rejects.toMatchObject({ code: 'authentication_failed' })
})
