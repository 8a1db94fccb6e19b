import '../support/unit-environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import type { RateLimitStore } from '@/lib/rate-limit/store'
import { type TestStore, testStores } from '../support/rate-limit-stores'

const day = 86_400_000
const whom = () => randomBytes(8).toString('hex')

async function consumeFive(store: RateLimitStore, key: string) {
  const attempts = []
  for (let attempt = 0; attempt < 5; attempt++) attempts.push(await store.consume(key))
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  return attempts
}

for (const { name, missing, start } of testStores) {
  if (missing) test(`attempts counted on ${name}`, () => test.skip(true, missing))
  else test.describe(`attempts counted on ${name}`, () => suite(start))
}

function suite(start: () => Promise<TestStore>) {
  // One server serves them all.
  test.describe.configure({ mode: 'default' })
  let testStore: TestStore
  const five = () => testStore.createStore('five', 5, day)
  test.beforeAll(async () => {
    testStore = await start()
  })
  test.afterAll(() => testStore?.stop())

  test('however many attempts come at once, no more than the quota are let in', async () => {
    const key = whom()
    const answers = await Promise.all(Array.from({ length: 30 }, () => five().consume(key)))
    expect(answers.filter(({ success }) => success)).toHaveLength(5)
  })

  test('a refusal says when the next attempt is allowed, and so does asking what is left', async () => {
    const key = whom()
    await consumeFive(five(), key)
    const { success, retryAt } = await five().consume(key)
    expect(success).toBe(false)
    expect(retryAt).toBeGreaterThan(Date.now())
    expect(retryAt).toBeLessThanOrEqual(Date.now() + 2 * day)
    const remaining = await five().remaining(key)
    expect(remaining.remaining).toBe(0)
    expect(Math.abs(remaining.retryAt - retryAt)).toBeLessThan(1000)
  })

  test('an attempt made when the refusal said is let in, and one made well before is not', async () => {
    const [key, second] = [whom(), 1000]
    const store = testStore.createStore('short', 3, second)
    // Near the end of its window a full bucket of the window before weighs too much for some of the next.
    await testStore.plant('short', key, 3, 1, second)
    await new Promise((done) => setTimeout(done, second - (Date.now() % second) + 20))
    const rejected = await store.consume(key)
    expect(rejected.success).toBe(false)
    await new Promise((done) => setTimeout(done, (rejected.retryAt - Date.now()) / 2))
    expect((await store.consume(key)).success).toBe(false)
    await new Promise((done) => setTimeout(done, rejected.retryAt - Date.now() + 2))
    expect((await store.consume(key)).success).toBe(true)
  })

  test('an attempt that is given back can be made again, and no more than that', async () => {
    const key = whom()
    const [attempt] = await consumeFive(five(), key)
    await attempt?.refund()
    expect((await five().remaining(key)).remaining).toBe(1)
    expect((await five().consume(key)).success).toBe(true)
    expect((await five().consume(key)).success).toBe(false)
  })

  test('giving back what has been cleared meanwhile earns nothing', async () => {
    const key = whom()
    const attempt = await five().consume(key)
    await attempt.reset()
    await attempt.refund()
    expect((await five().remaining(key)).remaining).toBe(5)
    await consumeFive(five(), key)
    expect((await five().consume(key)).success).toBe(false)
  })

  test('a bucket that is cleared is as new, and its neighbours stay as they were', async () => {
    const [key, neighbour] = [whom(), whom()]
    await testStore.plant('five', key, 5, -1, day)
    await testStore.plant('five', neighbour, 1, 0, day)
    await testStore.plant('other', key, 1, 0, day)
    await (await five().consume(key)).reset()
    expect((await five().remaining(key)).remaining).toBe(5)
    expect((await five().remaining(neighbour)).remaining).toBe(4)
    expect((await testStore.createStore('other', 5, day).remaining(key)).remaining).toBe(4)
  })

  test('quotas do not share buckets', async () => {
    const key = whom()
    await five().consume(key)
    expect((await testStore.createStore('other', 5, day).remaining(key)).remaining).toBe(5)
  })

  test('attempts of the window before weigh by how much of it still counts', async () => {
    const now = Date.now() / day
    const previous = 1_000_000
    const used = Math.ceil(previous * (1 - (now - Math.floor(now))))
    // A thousand on either side is more than what a minute of the test's own duration changes.
    await testStore.plant('tight', 'a', previous, -1, day)
    await testStore.plant('loose', 'a', previous, -1, day)
    expect((await testStore.createStore('tight', used - 1000, day).consume('a')).success).toBe(false)
    expect((await testStore.createStore('loose', used + 1000, day).consume('a')).success).toBe(true)
  })

  test('attempts of two windows ago count no more', async () => {
    const key = whom()
    await testStore.plant('five', key, 5, -2, day)
    expect((await five().remaining(key)).remaining).toBe(5)
    expect((await five().consume(key)).success).toBe(true)
  })
}

for (const { name, missing, start } of testStores.filter((testStore) => /SQL/.test(testStore.name))) {
  test(`on ${name} an instance whose clock is ahead does not give attempts back to the others`, async () => {
    test.skip(missing !== null, missing ?? '')
    const [testStore, key] = [await start(), whom()]
    await testStore.plant('five', key, 5, 1, day)
    expect((await testStore.createStore('five', 5, day).consume(key)).success).toBe(false)
    await testStore.stop()
  })
}
