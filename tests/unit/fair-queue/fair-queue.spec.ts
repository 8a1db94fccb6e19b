import { expect, test } from 'playwright/test'
import { FairQueue } from '@/lib/fair-queue/fair-queue'
import type { QueuedJob } from '@/lib/fair-queue/lanes'

interface Job extends QueuedJob {
  name: string
}

const job = (
  name: string,
  address: string,
  { account = name, party = address, line = address, work = 1, lane = '' } = {},
): Job => ({
  name,
  lane,
  account,
  address,
  party,
  line,
  work,
})

const newQueue = (places = 2) => new FairQueue<Job>({ places, perAccount: 2, perAddress: 8 })

function addMany(queue: FairQueue<Job>, count: number, make: (index: number) => Job) {
  for (let index = 0; index < count; index++) queue.add(make(index))
}

/** Runs everything that waits, one job at a time, and returns the names in order. */
function drain(queue: FairQueue<Job>): string[] {
  const names = []
  for (let next = queue.next(); next; next = queue.next()) {
    names.push(next.name)
    queue.finish(next)
  }
  return names
}

test('an address that sends one job runs it next, however many another address has waiting', () => {
  const queue = newQueue()
  addMany(queue, 200, (index) => job(`flood-${index}`, '198.51.100.1'))
  queue.add(job('stranger', '198.51.100.2'))
  expect(drain(queue).indexOf('stranger')).toBe(1)
})

test('addresses take turns in the order in which they came', () => {
  const queue = newQueue()
  for (const address of ['a', 'b', 'c']) addMany(queue, 3, (index) => job(`${address}${index}`, address))
  expect(drain(queue)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('lanes take turns, however many networks wait in one', () => {
  const queue = newQueue()
  addMany(queue, 50, (index) => job(`flood-${index}`, `198.51.${index}.1`))
  addMany(queue, 2, (index) => job(`known-${index}`, '203.0.113.1', { lane: 'known' }))
  expect(drain(queue).slice(0, 4)).toEqual(['flood-0', 'known-0', 'flood-1', 'known-1'])
})

test('a new job expects to wait for one turn of another lane, and for those of its own', () => {
  const queue = newQueue()
  addMany(queue, 50, (index) => job(`flood-${index}`, `198.51.${index}.1`))
  const other = job('other', '203.0.113.1')
  const known = job('known', '203.0.113.1', { lane: 'known' })
  expect(queue.expectedWait(other)).toBeGreaterThan(20)
  while (queue.next());
  // Both places are taken, and one of the other lane goes before it.
  expect(queue.expectedWait(known)).toBe(1)
  queue.add(job('earlier', '203.0.113.2', { lane: 'known' }))
  expect(queue.expectedWait(known)).toBe(2)
})

test('what strangers send under the name, or from the address, of a known browser delays it by a turn', () => {
  const queue = newQueue()
  addMany(queue, 30, (index) => job(`named-${index}`, `198.51.${index}.1`, { account: 'owner' }))
  addMany(queue, 30, (index) => job(`near-${index}`, '203.0.113.1'))
  const running = [queue.next(), queue.next()]
  const known = job('known', '203.0.113.1', { account: 'owner', line: 'owner', lane: 'known' })
  expect(queue.expectedWait(known)).toBeLessThanOrEqual(2)
  queue.add(known)
  for (const one of running) queue.finish(one as Job)
  expect(drain(queue).slice(0, 2)).toContain('known')
})

test('an expensive job of a known browser does not wait for the one that strangers at its address have', () => {
  const queue = newQueue(4)
  const [stranger, known] = [
    job('stranger', '198.51.100.7', { work: 8 }),
    job('known', '198.51.100.7', { line: 'owner', lane: 'known', work: 8 }),
  ]
  queue.add(stranger)
  expect(queue.next()).toBe(stranger)
  expect(queue.expectedWait(known)).toBe(0)
  queue.add(known)
  expect(queue.next()).toBe(known)
})

test('the accounts of one address take turns with each other, and delay those of another address by one', () => {
  const queue = newQueue()
  const known = (name: string, address: string, account: string) =>
    job(name, address, { account, line: account, lane: 'known' })
  addMany(queue, 40, (index) => known(`many-${index}`, '203.0.113.5', `account-${index}`))
  addMany(queue, 2, (index) => known(`again-${index}`, '203.0.113.5', 'account-0'))
  const owner = known('owner', '198.51.100.1', 'owner')
  expect(queue.expectedWait(owner)).toBeLessThanOrEqual(1)
  queue.add(owner)
  queue.add(known('neighbour', '203.0.113.5', 'neighbour'))
  const order = drain(queue)
  expect(order[1]).toBe('owner')
  // After one job of each account, and before the second of any.
  expect(order.slice(-3)).toEqual(['neighbour', 'again-0', 'again-1'])
})

test('an address runs eight jobs at once, also of accounts that have lines of their own', () => {
  const queue = newQueue(32)
  addMany(queue, 10, (index) => job(`${index}`, 'a', { line: `account-${index}`, lane: 'known' }))
  expect(runAll(queue)).toHaveLength(8)
})

test('the addresses of one IPv6 /48 share its turns', () => {
  const queue = newQueue()
  addMany(queue, 50, (index) => job(`flood-${index}`, `2001:db8:1:${index}::/64`, { party: '2001:db8:1::/48' }))
  addMany(queue, 2, (index) => job(`stranger-${index}`, '198.51.100.2'))
  const order = drain(queue)
  expect(order.slice(0, 4)).toEqual(['flood-0', 'stranger-0', 'flood-1', 'stranger-1'])
})

test('the addresses of one IPv6 /48 take turns among each other', () => {
  const queue = newQueue()
  const inNetwork = (name: string, address: string) => job(name, address, { party: '2001:db8:1::/48' })
  addMany(queue, 3, (index) => inNetwork(`flood-${index}`, '2001:db8:1:1::/64'))
  queue.add(inNetwork('neighbour', '2001:db8:1:2::/64'))
  expect(drain(queue)).toEqual(['flood-0', 'neighbour', 'flood-1', 'flood-2'])
})

test('an account runs two jobs at once and an address eight, and others pass those that wait for a share', () => {
  const queue = newQueue(32)
  addMany(queue, 3, (index) => job(`one-${index}`, 'a', { account: 'one' }))
  addMany(queue, 10, (index) => job(`other-${index}`, 'a'))
  queue.add(job('elsewhere', 'b', { account: 'one' }))
  queue.add(job('last', 'b'))
  const running = []
  for (let next = queue.next(); next; next = queue.next()) running.push(next)
  const names = running.map(({ name }) => name)
  expect(names.filter((name) => /one|elsewhere/.test(name))).toHaveLength(2)
  expect(running.filter(({ address }) => address === 'a')).toHaveLength(8)
  expect(names).toContain('last')
  queue.finish(running[0] as Job)
  expect(queue.next()?.account).toBe('one')
})

test('no more jobs run at once than there are places', () => {
  const queue = newQueue(2)
  addMany(queue, 5, (index) => job(`${index}`, `${index}`))
  const first = queue.next() as Job
  queue.next()
  expect(queue.next()).toBeUndefined()
  queue.finish(first)
  expect(queue.next()?.name).toBe('2')
})

test('a job that was removed never runs', () => {
  const queue = newQueue()
  const [gone, stays] = [job('gone', 'a'), job('stays', 'a')]
  queue.add(gone)
  queue.add(stays)
  expect(queue.remove(gone)).toBe(true)
  expect(queue.remove(gone)).toBe(false)
  expect(drain(queue)).toEqual(['stays'])
})

test.describe('the expected wait', () => {
  test('the expected wait of an address is that of its own next turn, not the length of the queue', () => {
    const queue = newQueue()
    addMany(queue, 100, (index) => job(`flood-${index}`, 'a'))
    queue.next()
    queue.next()
    expect(queue.expectedWait(job('next', 'a'))).toBeGreaterThan(45)
    expect(queue.expectedWait(job('stranger', 'b'))).toBeLessThanOrEqual(1)
  })

  test('the expected wait counts the turns of other addresses that come first', () => {
    const queue = newQueue()
    for (let address = 0; address < 50; address++) addMany(queue, 4, (index) => job(`${index}`, `${address}`))
    queue.next()
    queue.next()
    // One of each address before the first job of a new one, two before its second.
    expect(queue.expectedWait(job('stranger', 'new'))).toBe(25.5)
    queue.add(job('stranger', 'new'))
    expect(queue.expectedWait(job('stranger-2', 'new'))).toBe(51)
  })

  test('the expected wait counts the jobs of the same account, wherever they come from', () => {
    const queue = newQueue(16)
    for (let index = 0; index < 20; index++) queue.add(job(`${index}`, `${index}`, { account: 'one' }))
    queue.next()
    queue.next()
    expect(queue.expectedWait(job('next', 'new', { account: 'one' }))).toBeGreaterThan(9)
    expect(queue.expectedWait(job('next', 'new'))).toBeLessThan(2)
  })
})

/** Runs all that may run at once, and returns it. */
function runAll(queue: FairQueue<Job>): Job[] {
  const running = []
  for (let next = queue.next(); next; next = queue.next()) running.push(next)
  return running
}

test.describe('expensive jobs', () => {
  const expensive = (name: string, address: string, party = address) => job(name, address, { party, work: 32 })

  test('expensive jobs leave a place to the others, who pass them', () => {
    const queue = newQueue(4)
    addMany(queue, 2, (index) => expensive(`a${index}`, `a${index}`, 'a'))
    for (const network of ['b', 'c', 'd']) queue.add(expensive(network, network))
    queue.add(job('cheap-of-a', 'a0', { party: 'a' }))
    queue.add(job('stranger', 'e'))
    const running = runAll(queue)
    expect(running.map(({ name }) => name)).toEqual(['a0', 'b', 'c', 'stranger'])
    queue.finish(running[0] as Job)
    expect(runAll(queue).map(({ name }) => name)).toEqual(['d'])
    queue.finish(running[3] as Job)
    expect(runAll(queue).map(({ name }) => name)).toEqual(['cheap-of-a'])
  })

  test('the addresses of a network run one expensive job, even if places are free', () => {
    const queue = newQueue(4)
    addMany(queue, 2, (index) => expensive(`${index}`, `a${index}`, 'a'))
    const running = runAll(queue)
    expect(running.map(({ name }) => name)).toEqual(['0'])
    queue.finish(running[0] as Job)
    expect(queue.next()?.name).toBe('1')
  })

  test('of one place, expensive jobs get as much work as the others who wait', () => {
    const queue = newQueue(1)
    addMany(queue, 3, (index) => job(`expensive-${index}`, `a${index}`, { work: 3 }))
    addMany(queue, 5, (index) => job(`${index}`, `b${index}`))
    expect(drain(queue)).toEqual(['expensive-0', '0', '1', '2', 'expensive-1', '3', '4', 'expensive-2'])
  })

  test('the expected wait counts the work of those ahead, and expensive jobs and others pass each other', () => {
    const queue = newQueue(2)
    queue.add(expensive('a', 'a'))
    runAll(queue)
    // The half of it that is left on average.
    expect(queue.expectedWait(expensive('next', 'new'))).toBe(16)
    expect(queue.expectedWait(job('stranger', 'new'))).toBe(0)
    queue.add(expensive('b', 'b'))
    expect(queue.expectedWait(expensive('next', 'new'))).toBe(48)
    expect(queue.expectedWait(job('stranger', 'b'))).toBe(0)
    addMany(queue, 3, (index) => job(`${index}`, `${index}`))
    runAll(queue)
    // One place is left to these: one runs, and two have their turn first.
    expect(queue.expectedWait(job('stranger', 'new'))).toBe(3)
  })

  test('the expected wait at one place counts the expensive job that holds it', () => {
    const queue = newQueue(1)
    queue.add(expensive('a', 'a'))
    runAll(queue)
    queue.add(expensive('b', 'b'))
    expect(queue.expectedWait(job('stranger', 'new'))).toBe(16)
  })
})
