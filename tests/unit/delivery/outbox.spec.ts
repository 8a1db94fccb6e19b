import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'
import { expect, test } from 'playwright/test'
import { database } from '@/lib/database/client'
import { type Fragment, sql } from '@/lib/database/sql'
import { Courier, claim, type Lease, nextDueAt, release, settle } from '@/lib/delivery/courier'
import { deliverDue, deliverSoon, stopDelivering } from '@/lib/delivery/delivering'
import { composeLetter } from '@/lib/delivery/letter'
import { enqueue, listDeliveries, measureWaiting, retryDelivery } from '@/lib/delivery/outbox'
import { callReceiver } from '@/lib/delivery/receiver'
import { type Delivery, type Outcome, ReceiverError, registerSender } from '@/lib/delivery/senders'
import { start } from '@/lib/lifecycle'
import { finishAfterResponses } from '@/lib/process/work'
import { startReceiver } from '../../support/network/receiver'
import { endDelivering } from '../../support/unit/delivering'

const delay = timers.setTimeout

// They share one outbox.
test.describe.configure({ mode: 'serial' })

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** What the sender does; each test has its own. */
let send: (delivery: Delivery, signal: AbortSignal) => Promise<Outcome> = async () => ({ result: 'delivered' })

const delivered = { result: 'delivered' } as const
const retry = { result: 'retry', error: 'answered 500' } as const

test.beforeAll(async () => {
  await start()
  await endDelivering()
  registerSender(['test.first', 'test.second'], { send: (delivery, signal) => send(delivery, signal) })
})

test.beforeEach(async () => {
  await (await database()).delivery.deleteMany()
})

const message = (type: string, receiver: string, account: string | null, payload: object): Fragment => sql`
  SELECT '' AS "key", ${type} AS "type", ${receiver} AS "receiver", ${account} AS "account",
    ${JSON.stringify(payload)} AS "payload"`

async function put(receiver: string, type = 'test.first', count = 1): Promise<void> {
  const db = await database()
  await db.$transaction([...Array(count).keys()].map((n) => enqueue(db, message(type, receiver, null, { n }))))
}

const rows = async () => (await database()).delivery.findMany({ orderBy: { createdAt: 'asc' } })

/** Has `milliseconds` pass for all that waits. */
async function pass(milliseconds: number): Promise<void> {
  const db = await database()
  await db.$executeRaw`UPDATE "Delivery" SET "dueAt" = "dueAt" - ${BigInt(milliseconds)}`
}

const courier = (signal = new AbortController().signal) => new Courier({ claiming: signal, sending: signal })
const always = Number.POSITIVE_INFINITY

/** Runs it as if `milliseconds` had passed. */
async function withClockAhead(milliseconds: number, work: () => Promise<unknown>): Promise<void> {
  const now = Date.now
  Date.now = () => now() + milliseconds
  try {
    await work()
  } finally {
    Date.now = now
  }
}

/** Waits of exactly so many milliseconds end at once meanwhile. */
async function withoutWaits<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const { setTimeout } = timers
  const hurried = (wait: number, value: unknown, options?: TimerOptions) =>
    delay(wait === milliseconds ? 0 : wait, value, options)
  Object.assign(timers, { setTimeout: hurried })
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Object.assign(timers, { setTimeout })
    syncBuiltinESMExports()
  }
}

test('a message is stored in its transaction or not at all', async () => {
  const db = await database()
  const group = randomBytes(8).toString('hex')
  const creation = () => db.$executeRaw`INSERT INTO "Group" ("name") VALUES (${group})`
  await db.$transaction([creation(), enqueue(db, message('test.first', 'one', 'ada', { a: '"' }))])
  await expect(db.$transaction([enqueue(db, message('test.first', 'two', null, {})), creation()])).rejects.toThrow()
  expect(await rows()).toMatchObject([{ type: 'test.first', receiver: 'one', account: 'ada', payload: '{"a":"\\""}' }])
})

test('a claimed message is claimed again when its lease of 30 seconds has ended, and not before', async () => {
  await put('one')
  const before = Date.now()
  const [first] = (await claim(4, [])) as [Lease]
  expect(first).toMatchObject({ receiver: 'one', attempts: 1, payload: '{"n":0}' })
  expect(first.until).toBeGreaterThanOrEqual(before + 30 * second)
  expect(first.until).toBeLessThanOrEqual(Date.now() + 30 * second)
  expect(await claim(4, [])).toEqual([])
  await pass(15 * second)
  expect(await claim(4, [])).toEqual([])
  await pass(15 * second)
  expect(await claim(4, [])).toEqual([{ ...first, attempts: 2, until: expect.any(Number) }])
})

test('simultaneous claims get different messages', async () => {
  await put('one', 'test.first', 40)
  const claimed = (await Promise.all(Array.from({ length: 12 }, () => claim(4, [])))).flat()
  expect(claimed).toHaveLength(40)
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(40)
})

test('only types that this process sends are claimed', async () => {
  await put('one', 'test.unknown')
  expect(await claim(4, [])).toEqual([])
  expect(await nextDueAt()).toBeNull()
})

test('after each failure the next attempt is due later: 5 seconds, 1 minute, 10 minutes, 1 hour, then 6 hours for three days', async () => {
  await put('one')
  for (const wait of [5 * second, minute, 10 * minute, hour, ...Array(12).fill(6 * hour)]) {
    const [held] = (await claim(1, [])) as [Lease]
    const before = Date.now()
    expect(await settle(held, retry)).toBe('waiting')
    const after = Date.now()
    const [row] = await rows()
    expect(Number(row?.dueAt) - wait).toBeGreaterThanOrEqual(before)
    expect(Number(row?.dueAt) - wait).toBeLessThanOrEqual(after)
    await pass(wait)
  }
  const [last] = (await claim(1, [])) as [Lease]
  expect(await settle(last, retry)).toBe('failed')
  expect(await rows()).toMatchObject([{ attempts: 17, dueAt: null, error: 'answered 500' }])
})

test('an attempt that ends after its lease leaves the row of the next one alone', async () => {
  await put('one')
  const [late] = (await claim(1, [])) as [Lease]
  await pass(30 * second)
  const [next] = (await claim(1, [])) as [Lease]
  expect(await settle(late, { result: 'failed', error: 'answered 400' })).toBe('superseded')
  await settle(late, retry)
  await release(late)
  expect(await rows()).toMatchObject([{ attempts: 2, error: null }])
  await settle(next, delivered)
  expect(await rows()).toEqual([])
})

test('an attempt that an operator retries meanwhile leaves the row of the next one alone', async () => {
  await put('one')
  const [late] = (await claim(1, [])) as [Lease]
  // The next lease would otherwise end in the same millisecond.
  const { until } = late
  await retryDelivery(late.id)
  await expect.poll(() => Date.now() + 30 * second > until).toBe(true)
  const [next] = (await claim(1, [])) as [Lease]
  expect(next.attempts).toBe(late.attempts)
  expect(await settle(late, { result: 'failed', error: 'answered 400' })).toBe('superseded')
  expect(await settle(late, { result: 'gone', error: 'answered 410' })).toBe('superseded')
  await release(late)
  expect(await rows()).toMatchObject([{ attempts: 1, error: null, gone: false, dueAt: BigInt(next.until) }])
  expect(await settle(next, { result: 'failed', error: 'answered 400' })).toBe('failed')
})

test('a released lease leaves no trace', async () => {
  await put('one')
  const [held] = (await claim(1, [])) as [Lease]
  await release(held)
  expect(await claim(1, [])).toEqual([{ ...held, until: expect.any(Number) }])
})

test('a receiver that is gone gets nothing more until an operator retries one of its messages', async () => {
  await put('one', 'test.first', 2)
  const [held] = (await claim(1, [])) as [Lease]
  expect(await settle(held, { result: 'gone', error: 'answered 410' })).toBe('failed')
  await put('one', 'test.second')
  await put('two')
  const failed = { receiver: 'one', nextAt: null, error: 'answered 410' }
  expect((await listDeliveries()).deliveries).toMatchObject([failed, failed, { receiver: 'two', attempts: 0 }])
  expect(await measureWaiting()).toMatchObject({ count: 1 })

  expect(await retryDelivery(held.id)).toMatchObject({ id: held.id, attempts: 0, error: null })
  await put('one', 'test.second')
  expect((await claim(9, [])).map(({ type }) => type).sort()).toEqual(['test.first', 'test.first', 'test.second'])
  expect(await retryDelivery('unknown')).toBeNull()
})

test('a message that fails for good stays in the list', async () => {
  await put('one')
  send = async () => ({ result: 'failed', error: 'answered 400' })
  expect(await courier().deliver(always, minute)).toEqual({ delivered: 0, failed: 1 })
  expect((await listDeliveries()).deliveries).toMatchObject([{ attempts: 1, nextAt: null, error: 'answered 400' }])
})

test('a sender that throws is tried again', async () => {
  await put('one')
  send = async () => {
    throw new Error('planted')
  }
  await courier().deliver(always, minute)
  expect((await listDeliveries()).deliveries).toMatchObject([
    { attempts: 1, error: 'an internal error, which the log has' },
  ])
})

test('a message whose receiver cannot be found is tried again, and waits as long as after any other failure', async () => {
  registerSender(['test.lost'], {
    receiver: () => {
      throw new Error('planted')
    },
    send: async () => delivered,
  })
  await put('one', 'test.lost')
  expect(await courier().deliver(always, minute)).toEqual({ delivered: 0, failed: 1 })
  expect((await listDeliveries()).deliveries).toMatchObject([
    { attempts: 1, error: 'an internal error, which the log has' },
  ])
})

test("a receiver's failure is stored in its own words, also if another copy of the module has thrown it", async () => {
  await put('one')
  send = async () => {
    throw Object.assign(new Error('no answer within ten seconds'), { name: 'ReceiverError' })
  }
  await courier().deliver(always, minute)
  expect((await listDeliveries()).deliveries).toMatchObject([{ attempts: 1, error: 'no answer within ten seconds' }])
})

test('every message in the outbox that is due is sent, each once', async () => {
  await put('one', 'test.first', 100)
  await put('two', 'test.second', 100)
  const sent: string[] = []
  send = async ({ id }) => {
    sent.push(id)
    await delay(1)
    return delivered
  }
  const [one, two] = [courier(), courier()]
  const counts = await Promise.all([one, two, one].map((own) => own.deliver(always, minute)))
  expect(counts[0]).toEqual(counts[2])
  expect((counts[0]?.delivered ?? 0) + (counts[1]?.delivered ?? 0)).toBe(200)
  expect(new Set(sent).size).toBe(200)
  expect(sent).toHaveLength(200)
  expect(await rows()).toEqual([])
})

test('a receiver that hangs does not keep others from theirs, also from what is written meanwhile', async () => {
  await put('hangs', 'test.first', 50)
  await put('other', 'test.first', 10)
  const hanging: (() => void)[] = []
  const others: string[] = []
  send = async ({ id, receiver }) => {
    if (receiver === 'hangs') await new Promise<void>((resolve) => hanging.push(resolve))
    else others.push(id)
    return receiver === 'hangs' ? retry : delivered
  }
  const own = courier()
  const round = own.deliver(always, minute)
  await expect.poll(() => others.length).toBe(10)
  await put('other')
  // One promise for all: otherwise what waits for a receiver that hangs would pile up.
  expect(own.wake(always)).toBe(own.wake(always))
  await expect.poll(() => others.length).toBe(11)
  expect(hanging.length).toBeLessThan(8)
  const ending = setInterval(() => {
    for (const end of hanging.splice(0)) end()
  }, 1)
  expect(await round).toEqual({ delivered: 11, failed: 50 })
  clearInterval(ending)
})

/** The receiver `hangs` answers once `end` is called. @returns the receivers of the attempts so far, too */
function hangAtOne() {
  const sent: string[] = []
  let end = () => {}
  const answer = new Promise<void>((resolve) => {
    end = resolve
  })
  send = async ({ receiver }) => {
    sent.push(receiver)
    if (receiver === 'hangs') await answer
    return delivered
  }
  return { sent, end }
}

test('a call during a round whose time is over has it begin attempts again, and waits for its end', async () => {
  await put('hangs')
  const { sent, end } = hangAtOne()
  const own = courier()
  const round = own.wake(Date.now() + second)
  await expect.poll(() => sent).toEqual(['hangs'])
  await put('other')
  await withClockAhead(second, async () => {
    const next = own.deliver(Date.now() + minute, minute)
    await expect.poll(() => sent).toEqual(['hangs', 'other'])
    end()
    expect(await next).toEqual({ delivered: 2, failed: 0 })
    await round
  })
})

test('a call whose time is over sends nothing, and leaves nothing behind that a later one would join', async () => {
  await put('one')
  send = async () => delivered
  const own = courier()
  expect(await own.deliver(0, minute)).toEqual({ delivered: 0, failed: 0 })
  expect(await own.deliver(always, minute)).toEqual({ delivered: 1, failed: 0 })
})

test('a process that ends releases what it has not finished', async () => {
  await put('one', 'test.first', 3)
  const ending = new AbortController()
  send = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ReceiverError('ended'))))
  const round = courier(ending.signal).wake(always)
  await expect.poll(async () => (await rows()).filter(({ attempts }) => attempts === 1).length).toBe(3)
  ending.abort()
  await round
  expect(await rows()).toMatchObject([{ attempts: 0 }, { attempts: 0 }, { attempts: 0 }])
  expect(await claim(4, [])).toHaveLength(3)
})

test('a receiver that hangs holds up no other, no request and no call of /api/deliver where the process lives', async () => {
  const hanging = await startReceiver(() => {})
  send = async ({ receiver }, signal) => {
    if (receiver === hanging.url) await callReceiver(receiver, { headers: {}, body: '{}', signal })
    else sent.push(receiver)
    return delivered
  }
  const sent: string[] = []
  await put(hanging.url, 'test.first', 9)
  deliverSoon()
  await hanging.until(4)
  // What a request leaves behind would otherwise last as long as the receiver hangs.
  await finishAfterResponses()
  expect((await rows()).map(({ error }) => error)).toEqual(Array(9).fill(null))
  await withClockAhead(20 * second, async () => {
    await put('other')
    await expect.poll(async () => (await rows()).length).toBe(9)
  })
  expect(sent).toEqual(['other'])
  expect(await withoutWaits(20 * second, () => deliverDue({ isTrusted: true }))).toMatchObject({
    delivered: 0,
    waiting: 9,
  })
  // For good, so no test follows.
  await Promise.all([stopDelivering(), hanging.stop()])
})

test('a letter shows what others wrote as text, whatever markup it has', () => {
  const key = '<img src="x">&'
  const { html, text } = composeLetter({ kind: 'key_added', to: 'ada@example.com', locale: 'en', at: 0, key })
  expect(html).toContain('&lt;img src=&quot;x&quot;&gt;&amp;')
  expect(html).not.toContain('<img')
  expect(text).toContain(key)
})
