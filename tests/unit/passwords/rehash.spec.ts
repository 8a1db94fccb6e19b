import '../../support/unit/environment'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { newUserId } from '@/lib/auth/account'
import { inTurn, waitingHashes } from '@/lib/auth/passwords/hash-queue'
import { signInWithPassword } from '@/lib/auth/passwords/password-sign-in'
import { database } from '@/lib/database/client'
import { start } from '@/lib/lifecycle'
import { settings } from '@/lib/settings/settings'
import { takePlaces } from '../../support/unit/hash-places'

const password = 'correct horse'
const cost = settings().bcryptCost

test.beforeAll(() => start())

/**
 * Signs in with a password whose hash is below the configured cost. When it has matched, `meanwhile` runs in the one place
 * of the queue, and there is no turn for a new hash.
 */
async function signInWithoutRehash(meanwhile: (id: string) => Promise<unknown>) {
  const db = await database()
  const [id, username] = [newUserId(), `ada-${newUserId().toLowerCase()}`]
  const passwordHash = hashSync(password, cost - 1)
  await db.user.create({ data: { id, username, usernameKey: username, passwordHash } })
  const leaving = new AbortController()
  const { signal } = leaving
  const sender = { address: '198.51.100.1', userAgent: null, requestId: 'request', language: 'en' }
  const context = { ...sender, session: null, device: null, stepUp: null, recovery: null, signal }
  const [place, ...others] = takePlaces()
  const signingIn = signInWithPassword({ body: { username, password }, context })
  const outcome = signingIn.then(
    ({ user }) => ({ id: user.id }),
    (error: unknown) => error,
  )
  await expect.poll(waitingHashes).toBe(1)
  const next = inTurn({ account: 'next', context: { address: '198.51.100.2', signal: undefined } }, async () => {
    await meanwhile(id)
    leaving.abort()
  })
  await place?.()
  await next
  const result = await outcome
  await Promise.all(others.map((release) => release()))
  const stored = await db.user.findUnique({ where: { id }, omit: { passwordHash: false } })
  return { id, result, isOld: stored?.passwordHash === passwordHash }
}

test('a right password that gets no turn for a new hash signs in with the old one', async () => {
  const { id, result, isOld } = await signInWithoutRehash(async () => undefined)
  expect(result).toEqual({ id })
  expect(isOld).toBe(true)
})

test('a right password that gets no turn for a new hash is not answered as wrong when a concurrent sign-in stored one', async () => {
  const { result } = await signInWithoutRehash(async (id) => {
    const db = await database()
    await db.user.update({ where: { id }, data: { passwordHash: hashSync(password, cost) } })
  })
  expect(result).toMatchObject({ code: 'unavailable' })
})
