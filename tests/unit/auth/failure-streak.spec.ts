import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { endStreak, extendStreak } from '@/lib/auth/throttling/attempts'
import { database } from '@/lib/database/client'
import { purge } from '@/lib/database/purge'
import { start } from '@/lib/lifecycle'

const day = 86_400_000
const newKey = () => randomBytes(8).toString('hex')

test.beforeAll(() => start())

async function daysKept(key: string) {
  const db = await database()
  const row = await db.failureStreak.findUnique({ where: { key } })
  return row && (Number(row.expiresAt) - Date.now()) / day
}

test('concurrent attempts each get a count of their own', async () => {
  const key = newKey()
  const attempts = await Promise.all(Array.from({ length: 20 }, () => extendStreak(key)))
  const counts = attempts.map(({ count }) => count).sort((a, b) => a - b)
  expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

test('a refunded attempt does not extend the streak, and a streak without failures leaves no row', async () => {
  const key = newKey()
  const first = await extendStreak(key)
  const second = await extendStreak(key)
  await second.refund()
  expect((await extendStreak(key)).count).toBe(2)
  await first.refund()
  await first.refund()
  await first.refund()
  await purge()
  expect(await daysKept(key)).toBe(null)
})

test('a streak is kept for ninety days after its last failure, and other attempts do not lengthen that', async () => {
  const key = newKey()
  const db = await database()
  await extendStreak(key)
  expect(await daysKept(key)).toBeCloseTo(90, 1)
  const expiresAt = BigInt(Date.now() + 5 * day)
  await db.failureStreak.update({ where: { key }, data: { count: 7, expiresAt } })
  const attempt = await extendStreak(key)
  expect(attempt.count).toBe(8)
  expect(await daysKept(key)).toBeCloseTo(5, 1)
  await attempt.keep()
  expect(await daysKept(key)).toBeCloseTo(90, 1)
})

test('an expired streak starts again, also before it is purged', async () => {
  const key = newKey()
  const db = await database()
  await db.failureStreak.create({ data: { key, count: 100, expiresAt: BigInt(Date.now() - 1) } })
  expect((await extendStreak(key)).count).toBe(1)
  expect(await daysKept(key)).toBeCloseTo(90, 1)
})

test('ending a streak forgets all of its failures, and no others', async () => {
  const [one, other] = [newKey(), newKey()]
  for (const key of [one, one, other]) await extendStreak(key)
  await endStreak(one)
  expect((await extendStreak(one)).count).toBe(1)
  expect((await extendStreak(other)).count).toBe(2)
})
