import '../support/unit-environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import type { Counter } from '@/lib/rate-limit/sliding-window'
import { type Backend, backends } from '../support/rate-limit-stores'

const day = 86_400_000
const whom = () => randomBytes(8).toString('hex')

async function takeFive(counter: Counter, key: string) {
  const attempts = []
  for (let attempt = 0; attempt < 5; attempt++) attempts.push(await counter.take(key))
  expect(attempts.filter(({ success }) => success)).toHaveLength(5)
  return attempts
}

for (const { name, missing, start } of backends) {
  if (missing) test(`attempts counted on ${name}`, () => test.skip(true, missing))
  else test.describe(`attempts counted on ${name}`, () => suite(start))
}

function suite(start: () => Promise<Backend>) {
  // One server serves them all.
  test.describe.configure({ mode: 'default' })
  let backend: Backend
  const five = () => backend.counter('five', 5, day)
  test.beforeAll(async () => {
    backend = await start()
  })
  test.afterAll(() => backend?.stop())

  test('however many attempts come at once, no more than the quota are let in', async () => {
    const key = whom()
    const answers = await Promise.all(Array.from({ length: 30 }, () => five().take(key)))
    expect(answers.filter(({ success }) => success)).toHaveLength(5)
  })

  test('a refusal says when the next attempt is allowed, and so does asking what is left', async () => {
    const key = whom()
    await takeFive(five(), key)
    const { success, reset } = await five().take(key)
    expect(success).toBe(false)
    expect(reset).toBeGreaterThan(Date.now())
    expect(reset).toBeLessThanOrEqual(Date.now() + 2 * day)
    const left = await five().left(key)
    expect(left.remaining).toBe(0)
    expect(Math.abs(left.reset - reset)).toBeLessThan(1000)
  })

  test('an attempt made when the refusal said is let in, and one made well before is not', async () => {
    const [key, second] = [whom(), 1000]
    const counter = backend.counter('short', 3, second)
    // Near the end of its window a full bucket of the window before weighs too much for some of the next.
    await backend.plant('short', key, 3, 1, second)
    await new Promise((done) => setTimeout(done, second - (Date.now() % second) + 20))
    const refused = await counter.take(key)
    expect(refused.success).toBe(false)
    await new Promise((done) => setTimeout(done, (refused.reset - Date.now()) / 2))
    expect((await counter.take(key)).success).toBe(false)
    await new Promise((done) => setTimeout(done, refused.reset - Date.now() + 2))
    expect((await counter.take(key)).success).toBe(true)
  })

  test('an attempt that is given back can be made again, and no more than that', async () => {
    const key = whom()
    const [attempt] = await takeFive(five(), key)
    await attempt?.giveBack()
    expect((await five().left(key)).remaining).toBe(1)
    expect((await five().take(key)).success).toBe(true)
    expect((await five().take(key)).success).toBe(false)
  })

  test('giving back what has been cleared meanwhile earns nothing', async () => {
    const key = whom()
    const attempt = await five().take(key)
    await attempt.clear()
    await attempt.giveBack()
    expect((await five().left(key)).remaining).toBe(5)
    await takeFive(five(), key)
    expect((await five().take(key)).success).toBe(false)
  })

  test('a bucket that is cleared is as new, and its neighbours stay as they were', async () => {
    const [key, neighbour] = [whom(), whom()]
    await backend.plant('five', key, 5, -1, day)
    await backend.plant('five', neighbour, 1, 0, day)
    await backend.plant('other', key, 1, 0, day)
    await (await five().take(key)).clear()
    expect((await five().left(key)).remaining).toBe(5)
    expect((await five().left(neighbour)).remaining).toBe(4)
    expect((await backend.counter('other', 5, day).left(key)).remaining).toBe(4)
  })

  test('quotas do not share buckets', async () => {
    const key = whom()
    await five().take(key)
    expect((await backend.counter('other', 5, day).left(key)).remaining).toBe(5)
  })

  test('attempts of the window before weigh by how much of it still counts', async () => {
    const now = Date.now() / day
    const previous = 1_000_000
    const used = Math.ceil(previous * (1 - (now - Math.floor(now))))
    // A thousand on either side is more than what a minute of the test's own duration changes.
    await backend.plant('tight', 'a', previous, -1, day)
    await backend.plant('loose', 'a', previous, -1, day)
    expect((await backend.counter('tight', used - 1000, day).take('a')).success).toBe(false)
    expect((await backend.counter('loose', used + 1000, day).take('a')).success).toBe(true)
  })

  test('attempts of two windows ago count no more', async () => {
    const key = whom()
    await backend.plant('five', key, 5, -2, day)
    expect((await five().left(key)).remaining).toBe(5)
    expect((await five().take(key)).success).toBe(true)
  })
}

for (const { name, missing, start } of backends.filter((backend) => /SQL/.test(backend.name))) {
  test(`on ${name} an instance whose clock is ahead does not give attempts back to the others`, async () => {
    test.skip(missing !== null, missing ?? '')
    const [backend, key] = [await start(), whom()]
    await backend.plant('five', key, 5, 1, day)
    expect((await backend.counter('five', 5, day).take(key)).success).toBe(false)
    await backend.stop()
  })
}
