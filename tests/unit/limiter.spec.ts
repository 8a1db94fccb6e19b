import './environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { database } from '@/lib/data/database'
import { limiter } from '@/lib/data/limiter'
import { start } from '@/lib/data/start'
import { sweep } from '@/lib/data/sweep'

const day = 86_400_000
const whom = () => randomBytes(8).toString('hex')
const five = () => limiter('test-five', 5, day)

test.beforeAll(() => start())

test('however many attempts come at once, no more than the quota are let in', async () => {
  const key = whom()
  const answers = await Promise.all(Array.from({ length: 30 }, () => five().limit(key)))
  expect(answers.filter(({ success }) => success)).toHaveLength(5)
})

test('a refusal says when the next attempt is allowed', async () => {
  const key = whom()
  for (let attempt = 0; attempt < 5; attempt++) await five().limit(key)
  const { success, reset } = await five().limit(key)
  expect(success).toBe(false)
  expect(reset).toBeGreaterThan(Date.now())
  expect(reset).toBeLessThanOrEqual(Date.now() + 2 * day)
})

test('an attempt that is given back can be made again, and no more than that', async () => {
  const key = whom()
  for (let attempt = 0; attempt < 5; attempt++) await five().limit(key)
  await five().limit(key, { rate: -1 })
  expect((await five().getRemaining(key)).remaining).toBe(1)
  expect((await five().limit(key)).success).toBe(true)
  expect((await five().limit(key)).success).toBe(false)
})

test('giving back what was never taken earns nothing', async () => {
  const key = whom()
  await five().limit(key, { rate: -1 })
  expect((await five().getRemaining(key)).remaining).toBe(5)
})

test('a bucket that is cleared is as new, and its neighbours stay as they were', async () => {
  const [key, neighbour] = [whom(), whom()]
  for (const of of [key, neighbour]) await five().limit(of)
  await five().resetUsedTokens(key)
  expect((await five().getRemaining(key)).remaining).toBe(5)
  expect((await five().getRemaining(neighbour)).remaining).toBe(4)
})

test('quotas do not share buckets', async () => {
  const key = whom()
  await five().limit(key)
  expect((await limiter('test-other', 5, day).getRemaining(key)).remaining).toBe(5)
})

test('attempts of the window before weigh by how much of it still counts', async () => {
  const client = await database()
  const now = Date.now() / day
  const previous = 1_000_000
  const used = Math.ceil(previous * (1 - (now - Math.floor(now))))
  const data = { window: BigInt(Math.floor(now) - 1), count: previous, previous: 0, expiresAt: 9_999_999_999_999n }
  // A thousand on either side is more than what a minute of the test's own duration changes.
  await client.rateLimit.create({ data: { ...data, key: 'test-tight:a' } })
  await client.rateLimit.create({ data: { ...data, key: 'test-loose:a' } })
  expect((await limiter('test-tight', used - 1000, day).limit('a')).success).toBe(false)
  expect((await limiter('test-loose', used + 1000, day).limit('a')).success).toBe(true)
})

test('attempts of two windows ago count no more', async () => {
  const key = whom()
  const client = await database()
  const window = BigInt(Math.floor(Date.now() / day) - 2)
  const data = { key: `test-five:${key}`, window, count: 5, previous: 5, expiresAt: 0n }
  await client.rateLimit.create({ data })
  expect((await five().getRemaining(key)).remaining).toBe(5)
  expect((await five().limit(key)).success).toBe(true)
})

test('an instance whose clock is ahead does not give attempts back to the others', async () => {
  const key = whom()
  const client = await database()
  const window = BigInt(Math.floor(Date.now() / day) + 1)
  await client.rateLimit.create({ data: { key: `test-five:${key}`, window, count: 5, previous: 0, expiresAt: 0n } })
  expect((await five().limit(key)).success).toBe(false)
})

test('what has expired is swept away, however much there is, and nothing else', async () => {
  const client = await database()
  const prefix = whom()
  const rows = (expiresAt: bigint) =>
    Array.from({ length: 1200 }, (_, n) => ({ id: `${prefix}${expiresAt}${n}`, expiresAt }))
  await client.spentToken.createMany({ data: [...rows(1n), ...rows(9_999_999_999_999n)] })
  await sweep()
  const left = await client.spentToken.findMany({ where: { id: { startsWith: prefix } } })
  expect(left).toHaveLength(1200)
  expect(left.every(({ expiresAt }) => expiresAt > 1n)).toBe(true)
})
