import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { redisStore, roundingUp } from '@/lib/rate-limit/redis-store'
import type { RateLimitStore } from '@/lib/rate-limit/store'
import { needs } from '../../support/machine/needs'
import { remainingAttempts, type TestStore, testStores } from '../../support/storage/rate-limit-stores'

const day = 86_400_000
const newKey = () => randomBytes(8).toString('hex')

async function consumeFive(store: RateLimitStore, key: string) {
  const attempts = []
  for (let attempt = 0; attempt < 5; attempt++) attempts.push(await store.consume(key))
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  return attempts
}

for (const { name, runsOn, start } of testStores)
  test.describe(`rate limits on ${name}`, () => {
    needs(...runsOn)
    suite(start, /SQL/.test(name))
  })

function suite(start: () => Promise<TestStore>, isDatabase: boolean) {
  let testStore: TestStore
  const five = () => testStore.createStore('five', 5, day)
  test.beforeAll(async () => {
    testStore = await start()
  })
  test.afterAll(() => testStore?.stop())

  test('a store allows no more than the maximum, however many attempts arrive at once', async () => {
    const key = newKey()
    const answers = await Promise.all(Array.from({ length: 30 }, () => five().consume(key)))
    expect(answers.filter(({ success }) => success)).toHaveLength(5)
  })

  test('a store says when the next attempt is allowed, on a rejected attempt and without one', async () => {
    const key = newKey()
    expect(await five().retryAt(key)).toBeLessThanOrEqual(Date.now())
    await consumeFive(five(), key)
    const attempt = await five().consume(key)
    expect(attempt.success).toBe(false)
    const retryAt = await attempt.retryAt()
    expect(retryAt).toBeGreaterThan(Date.now())
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 2 * day)
    expect(Math.abs((await five().retryAt(key)) - retryAt)).toBeLessThan(1000)
  })

  test('a store allows an attempt at the time that it named, and none before', async () => {
    const [key, store] = [newKey(), testStore.createStore('short', 3, 1000)]
    // Compares times that it reads itself, because this process may be paused anywhere.
    const consumeUntil = async (success: boolean) => {
      for (let otherwiseAt = 0; ; ) {
        const askedAt = Date.now()
        const attempt = await store.consume(key)
        if (attempt.success === success) return { ...attempt, otherwiseAt }
        otherwiseAt = askedAt
      }
    }
    const retryAt = await (await consumeUntil(false)).retryAt()
    const { otherwiseAt: lastRejectedAt } = await consumeUntil(true)
    // The stores round to a millisecond, and add one.
    expect(Date.now()).toBeGreaterThanOrEqual(retryAt - 2)
    expect(lastRejectedAt).toBeLessThanOrEqual(retryAt)
  })

  test('a store allows exactly one more attempt after a refund', async () => {
    const key = newKey()
    const [attempt] = await consumeFive(five(), key)
    await attempt?.refund()
    expect(await remainingAttempts(five(), key)).toBe(1)
    expect((await five().consume(key)).success).toBe(true)
    expect((await five().consume(key)).success).toBe(false)
  })

  test('a refund after a reset allows no extra attempt', async () => {
    const key = newKey()
    const attempt = await five().consume(key)
    await attempt.reset()
    await attempt.refund()
    expect(await remainingAttempts(five(), key)).toBe(5)
    await consumeFive(five(), key)
    expect((await five().consume(key)).success).toBe(false)
  })

  test('a reset empties its bucket, in both windows, and no other', async () => {
    const [key, neighbour] = [newKey(), newKey()]
    await testStore.plant('five', key, 5, -1, day)
    await testStore.plant('five', neighbour, 1, 0, day)
    await testStore.plant('other', key, 1, 0, day)
    await (await five().consume(key)).reset()
    expect(await remainingAttempts(five(), key)).toBe(5)
    expect(await remainingAttempts(five(), neighbour)).toBe(4)
    expect(await remainingAttempts(testStore.createStore('other', 5, day), key)).toBe(4)
  })

  test('policies do not share buckets', async () => {
    const key = newKey()
    await five().consume(key)
    expect(await remainingAttempts(testStore.createStore('other', 5, day), key)).toBe(5)
  })

  test('a store weighs the attempts of the previous window by the part of it that still counts', async () => {
    const now = Date.now() / day
    const previous = 1_000_000
    const used = Math.ceil(previous * (1 - (now - Math.floor(now))))
    // The margin of a thousand exceeds what changes in a minute, should the test take that long.
    await testStore.plant('tight', 'a', previous, -1, day)
    await testStore.plant('loose', 'a', previous, -1, day)
    expect((await testStore.createStore('tight', used - 1000, day).consume('a')).success).toBe(false)
    expect((await testStore.createStore('loose', used + 1000, day).consume('a')).success).toBe(true)
  })

  test('a store rejects the first attempt of a window if those of the full window before it still count', async () => {
    // So long that the window began a minute ago and hardly any of its time passes during the test.
    const [key, window] = [newKey(), Math.floor((Date.now() - 60_000) / 2)]
    await testStore.plant('long', key, 5, -1, window)
    const store = testStore.createStore('long', 5, window)
    expect((await store.consume(key)).success).toBe(false)
  })

  test('a store ignores attempts of two windows ago', async () => {
    const key = newKey()
    await testStore.plant('five', key, 5, -2, day)
    expect(await remainingAttempts(five(), key)).toBe(5)
    expect((await five().consume(key)).success).toBe(true)
  })

  // A script in Redis has one clock for all.
  if (!isDatabase) return

  test('a store still holds after an instance whose clock is ahead has counted, and keeps that until it expires', async () => {
    const [full, far] = [newKey(), newKey()]
    await testStore.plant('five', full, 5, 1, day)
    expect((await five().consume(full)).success).toBe(false)
    const expiresAt = (Math.floor(Date.now() / day) + 4) * day
    await testStore.plant('five', far, 1, 2, day, expiresAt)
    expect((await five().consume(far)).success).toBe(true)
    expect(await testStore.expiry?.('five', far)).toBe(expiresAt)
  })
}

test('the Redis store sends the script of the installed library with the previous window rounded up', async () => {
  const sent: string[] = []
  const run = async (script: string) => {
    sent.push(script)
    return [4, 5]
  }
  const connection = { name: 'Redis', run, read: async () => [], remove: async () => 0, close() {} }
  await redisStore(connection, { name: 'five', max: 5, windowMilliseconds: day }).consume('a')
  expect(sent).toEqual([expect.stringContaining('requestsInPreviousWindow = math.ceil(')])
  expect(sent).toEqual([expect.not.stringContaining('math.floor(')])
})

test('a script that rounds in another place, or in several, is rejected and not sent as it is', () => {
  const rounds = 'requestsInPreviousWindow = math.floor(a)'
  expect(roundingUp(rounds)).toBe('requestsInPreviousWindow = math.ceil(a)')
  for (const script of ['requestsInPreviousWindow = (a) // 1', `${rounds} ${rounds}`, 'other = math.floor(a)'])
    expect(() => roundingUp(script)).toThrow('@upstash/ratelimit')
})
