import '../../support/unit/environment'
import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { mock } from 'node:test'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { inTurn, measureHash, waitingHashes } from '@/lib/auth/passwords/hash-queue'
import { hashPassword, verifyPassword } from '@/lib/auth/passwords/password-hash'
import { settings } from '@/lib/settings/settings'
import { occupyPlaces } from '../../support/unit/hash-places'
import { withResolvers } from '../../support/with-resolvers'

const places = availableParallelism()
const cost = settings().bcryptCost
let accounts = 0
const newAccount = () => `account-${accounts++}`
const from = (address: string, signal?: AbortSignal) => ({ address, signal })
/** With an account of their own. */
const someone = (address: string, signal?: AbortSignal) => ({ account: newAccount(), context: from(address, signal) })

test('an address whose requests fill the queue is rejected slowly, with a time to try again, and another address still gets its turn', async () => {
  const release = occupyPlaces()
  const works: Promise<unknown>[] = []
  const outcomes: unknown[] = []
  const twenty = withResolvers()
  for (let request = 0; request < 150 * places; request++)
    works.push(
      inTurn(someone('198.51.100.1'), async () => 'ran')
        .then(
          (value) => outcomes.push(value),
          (error) => outcomes.push(error),
        )
        .then((count) => count === 20 && twenty.resolve()),
    )
  await new Promise((done) => setImmediate(done))
  expect(outcomes).toEqual([])
  // Only rejections come, and each says when to try again.
  await twenty.promise
  for (const error of outcomes)
    expect(error).toMatchObject({ code: 'unavailable', details: { retryAfter: expect.any(Number) } })
  const rejected = outcomes.length
  expect(works.length - rejected).toBeGreaterThan(20)
  let stranger = ''
  works.push(inTurn(someone('198.51.100.2'), async () => (stranger = `after ${outcomes.length - rejected}`)))
  await release()
  await Promise.all(works)
  expect(stranger).toMatch(/^after \d$/)
})

test('the accounts of an address, which are all known, delay an account at another address by a turn', async () => {
  const release = occupyPlaces()
  const order: string[] = []
  const known = (account: string, address: string) =>
    // Begun, so that a slow machine rejects none.
    inTurn({ account, context: from(address), isKnown: true }, async () => order.push(account), { isBegun: true })
  const works = Array.from({ length: 40 }, (_, index) => known(`many-${index}`, '203.0.113.5'))
  works.push(known('one', '198.51.100.1'))
  await release()
  await Promise.all(works)
  expect(order.slice(0, 3)).toContain('one')
})

test('work whose client has gone is dropped from the queue, and its place in the line goes to others', async () => {
  const release = occupyPlaces()
  const leaving = new AbortController()
  let ran = 0
  const dropped = Array.from({ length: 5 }, () => inTurn(someone('198.51.100.1', leaving.signal), async () => ran++))
  let atOnce: PromiseSettledResult<number>[] = []
  void Promise.allSettled(dropped).then((outcomes) => (atOnce = outcomes))
  leaving.abort()
  await new Promise((done) => setImmediate(done))
  expect(atOnce).toHaveLength(5)
  for (const outcome of atOnce) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  const late = inTurn(someone('198.51.100.1', leaving.signal), async () => ran++)
  await expect(late).rejects.toMatchObject({ code: 'unavailable' })
  await release()
  expect(await inTurn(someone('198.51.100.1'), async () => 'next')).toBe('next')
  expect(ran).toBe(0)
})

test('work that fails frees its place', async () => {
  for (let time = 0; time < 2 * places; time++) {
    const failing = inTurn(someone('198.51.100.1'), () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
  }
  expect(await inTurn(someone('198.51.100.1'), async () => 'next')).toBe('next')
})

test('work that others pass for twenty seconds is rejected', async () => {
  const release = occupyPlaces()
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    let rejected: unknown = null
    void inTurn(someone('198.51.100.1'), async () => 'ran').catch((error) => (rejected = error))
    mock.timers.tick(19_900)
    await new Promise((done) => setImmediate(done))
    expect(rejected).toBe(null)
    mock.timers.tick(200)
    await new Promise((done) => setImmediate(done))
    expect(rejected).toMatchObject({ code: 'unavailable' })
  } finally {
    mock.timers.reset()
    await release()
  }
})

test('eight wait for each place however long a hash takes, and none beyond three seconds once more are ahead', async () => {
  const hashesTake = async (milliseconds: number) => {
    let now = 0
    const clock = mock.method(performance, 'now', () => (now += milliseconds))
    // The estimate follows each hash by an eighth.
    for (let hash = 0; hash < 60; hash++) await measureHash(1, async () => undefined)
    clock.mock.restore()
  }
  await hashesTake(1_000)
  const release = occupyPlaces()
  const works = Array.from({ length: 8 * places + 5 }, (_, index) =>
    inTurn(someone(`198.51.${index}.1`), async () => 'ran').catch((error) => error.code),
  )
  await release()
  const outcomes = await Promise.all(works)
  await hashesTake(60)
  expect(outcomes).toEqual([...Array(8 * places).fill('ran'), ...Array(5).fill('unavailable')])
})

test('a hash that had to wait is not computed if it is no longer wanted, and is if nobody asks', async () => {
  const context = from('198.51.100.1')
  const afterWaiting = () => Promise.reject(new Error('revoked'))
  // Without a wait nothing can have changed.
  expect(await hashPassword('a password', { account: newAccount(), context, afterWaiting })).toMatch(/^\$2/)
  const release = occupyPlaces()
  const unwanted = hashPassword('a password', { account: newAccount(), context, afterWaiting })
  const settled = expect(unwanted).rejects.toThrow('revoked')
  const anyway = hashPassword('a password', { account: newAccount(), context })
  await release()
  await settled
  expect(await anyway).toMatch(/^\$2/)
})

test('a password is compared with the hash that the account has when its turn comes', async () => {
  const [old, current] = [hashSync('old', 4), hashSync('current', 4)]
  const request = { account: newAccount(), context: from('198.51.100.1'), afterWaiting: async () => current }
  expect(await verifyPassword('old', old, request)).toBe(true)
  const release = occupyPlaces()
  const comparisons = Promise.all([verifyPassword('old', old, request), verifyPassword('current', old, request)])
  await release()
  expect(await comparisons).toEqual([false, true])
})

test('a password for an account that is not there, or has none, waits for its turn and a hash as any other', async () => {
  const release = occupyPlaces()
  let isAnswered = false
  const comparison = verifyPassword('wrong', null, someone('198.51.100.1')).finally(() => (isAnswered = true))
  await new Promise((done) => setImmediate(done))
  expect([waitingHashes(), isAnswered]).toEqual([1, false])
  await release()
  expect(await comparison).toBe(false)
})

test('what follows a first turn is not rejected, or the attempt that it decides would be refunded', async () => {
  const release = occupyPlaces()
  const context = from('198.51.100.1')
  const filling = Array.from({ length: 150 * places }, () =>
    inTurn({ account: newAccount(), context }, async () => 'ran'),
  )
  const outcomes = Promise.allSettled(filling)
  let isRejected = false
  void Promise.any(filling.map((work) => work.catch(() => (isRejected = true))))
  const second = inTurn({ account: newAccount(), context }, async () => 'ran', { work: 1, isBegun: true })
  await expect.poll(() => isRejected).toBe(true)
  await release()
  expect(await second).toBe('ran')
  await outcomes
})

test('what follows a first turn runs although the client has left, or leaving would refund the attempt', async () => {
  const release = occupyPlaces()
  const leaving = new AbortController()
  const run = () => inTurn(someone('198.51.100.1', leaving.signal), async () => 'ran', { isBegun: true })
  const waiting = run()
  leaving.abort()
  const works = Promise.all([waiting, run()])
  await release()
  expect(await works).toEqual(['ran', 'ran'])
})

test('the second form of a password is compared with the hash that the account has by then', async () => {
  const password = 'pâsswörd'
  const [typed, imported] = [password.normalize('NFD'), `bcrypt72:${hashSync(password.normalize('NFC'), cost)}`]
  const request = (current: string | null) => ({
    account: newAccount(),
    context: from('198.51.100.1'),
    afterWaiting: async () => current,
  })
  expect(await verifyPassword(typed, imported, request(imported))).toBe(true)
  expect(await verifyPassword(typed, imported, request(hashSync('another', 4)))).toBe(false)
  expect(await verifyPassword(typed, imported, request(null))).toBe(false)
})

test('no password matches an account without a hash', async () => {
  expect(await verifyPassword('', null, { account: newAccount(), context: from('198.51.100.1') })).toBe(false)
})
