import '../../support/unit-environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { logoutsOf, ofAccount } from '@/lib/auth/sessions/logouts'
import { database } from '@/lib/database/client'
import { transaction } from '@/lib/database/transaction'
import { start } from '@/lib/lifecycle'

test.beforeAll(() => start())

const sessions = 6_000

test('the end of one of six thousand sessions that reached an app is found in less than a second', async () => {
  const db = await database()
  const userId = randomBytes(8).toString('hex')
  const expiresAt = BigInt(Date.now() + 86_400_000)
  await db.user.create({ data: { id: userId, username: userId, usernameKey: userId } })
  const backChannelUri = 'https://app.example/logout'
  await db.app.create({ data: { id: userId, name: userId, redirectUris: '', backChannelUri } })
  const ids = Array.from({ length: sessions }, (_, n) => `${userId}/${n}`)
  const common = { userId, expiresAt }
  for (let from = 0; from < sessions; from += 1000) {
    const some = ids.slice(from, from + 1000)
    await db.session.createMany({ data: some.map((id) => ({ ...common, id, epoch: 0, method: 'pwd', openedAt: 0n })) })
    await db.appSession.createMany({ data: some.map((rootId) => ({ ...common, rootId, appId: userId })) })
  }
  await db.consumedToken.create({ data: { id: `${userId}/7`, expiresAt } })
  const begun = performance.now()
  const results = await transaction(db, logoutsOf(db, ofAccount(userId)))
  expect(performance.now() - begun).toBeLessThan(1_000)
  expect(results).toEqual({ logouts: 1, forgottenApps: 1 })
  expect(await db.appSession.count({ where: { userId } })).toBe(sessions - 1)
})
