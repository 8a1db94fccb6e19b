import { setTimeout as pause } from 'node:timers/promises'
import { bearer, password, post, removePassword, signUp } from './accounts.mjs'
import { interleaved, median } from './interleave.mjs'
import { poolRate } from './pool.mjs'
import { short } from './report.mjs'
import { only, put, startProduct } from './servers.mjs'

/** @typedef {import('./report.mjs').Report} Report */
/** @typedef {import('./servers.mjs').Product} Product */

const signIns = { path: '/api/signin', connections: 16, addresses: 1_000 }

/** Signs up so many accounts. @param {Product} product @param {number} count @returns bodies of their sign-ins */
async function accounts({ port }, count) {
  const names = Array.from({ length: count }, (_, index) => `person-${index}`)
  for (const username of names) await signUp(port, username)
  return names.map((username) => JSON.stringify({ username, password }))
}

/** Interleaves password sign-ins and plain hashing. @param {Report} report @param {number} cost */
export async function benchHashing(report, cost) {
  const product = await startProduct(cost)
  const bodies = await accounts(product, 16)
  const rates = await interleaved({
    pool: () => poolRate(cost, 5),
    signIn: async () => only(await put({ ...signIns, port: product.port, bodies, seconds: 5 })).rate,
  })
  report.add({
    what: `password sign-ins a second, cost ${cost}`,
    against: 'what the pool hashes alone',
    ratio: rates.signIn / rates.pool,
    goal: 0.95,
    better: 'at least',
    found: `${short(rates.signIn)}/s, ${short(rates.pool)}/s`,
  })
  await product.stop()
}

/** How long a session check takes, idle and while 64 clients sign in without pause. @param {Report} report */
export async function benchStorm(report) {
  const product = await startProduct(10)
  const bodies = await accounts(product, 16)
  const found = await besides(product, () =>
    put({ ...signIns, port: product.port, bodies, connections: 64, seconds: 8 }).then((result) => only(result)),
  )
  addWait(report, 'beside 64 clients signing in', found)
  await product.stop()
}

/**
 * How long a stranger's right password and a session check take while one address sends wrong ones over 200 connections.
 *
 * @param {Report} report
 */
export async function benchFlood(report) {
  const product = await startProduct(10, {}, true)
  const { port } = product
  const bodies = Array.from({ length: 500 }, (_, n) => JSON.stringify({ username: `nobody-${n}`, password: 'wrong' }))
  /** @type {number[]} */
  const waits = []
  const found = await besides(product, async (token) => {
    const flooding = put({ ...signIns, port, bodies, connections: 200, addresses: 1, seconds: 8 })
    for (let turn = 0; turn < 10; turn++) {
      const start = performance.now()
      const { status } = await post(port, '/api/signin', { username: token.username, password }, `198.19.1.${turn}`)
      waits.push(performance.now() - start)
      if (status !== 200) throw new Error(`a right password answered ${status}`)
      await pause(300)
    }
    await flooding
  })
  const what = 'while one address sends wrong ones over 200 connections'
  const slowest = Math.max(...waits)
  report.add({
    what: `the slowest of ten strangers' right passwords, ${what}`,
    against: 'nothing',
    ratio: slowest / 1000,
    unit: ' s',
    goal: 2,
    better: 'at most',
    found: `median ${short(median(waits))} ms`,
  })
  addWait(report, what, found)
  await product.stop()
}

/**
 * Probes a session check, idle and beside something else.
 *
 * @param {Product} product
 * @param {(account: { username: string }) => Promise<unknown>} load
 */
async function besides({ port }, load) {
  const username = 'prober'
  const headers = bearer(await signUp(port, username))
  const probe = { port, path: '/api/i', headers, connections: 1, seconds: 8, pauseMilliseconds: 3 }
  const idle = only(await put(probe))
  const [busy] = await Promise.all([put(probe), load({ username })])
  return { idle, busy: only(busy) }
}

/** @param {Report} report @param {string} what @param {Awaited<ReturnType<typeof besides>>} found */
function addWait(report, what, { idle, busy }) {
  report.add({
    what: `p99 of a session check ${what}`,
    against: 'idle',
    ratio: busy.p99 / idle.p99,
    goal: 3,
    better: 'at most',
    found: `${short(busy.p99)} ms, ${short(idle.p99)} ms`,
  })
}

/** Failed sign-ins take equally long, so as not to reveal which accounts exist. @param {Report} report */
export async function benchFailures(report) {
  const product = await startProduct(10)
  const { port } = product
  await signUp(port, 'known')
  await signUp(port, 'no-password')
  removePassword(product.database, 'no-password')
  const fail = (/** @type {string} */ username) => async () => {
    const start = performance.now()
    const { status } = await post(port, '/api/signin', { username, password: 'a wrong password' })
    if (status !== 401) throw new Error(`a failed sign-in answered ${status}`)
    return performance.now() - start
  }
  const kinds = { unknown: fail('unknown'), 'no password': fail('no-password'), known: fail('known') }
  const medians = await interleaved(kinds, 25)
  const times = Object.values(medians)
  report.add({
    what: 'the slowest kind of failed sign-in',
    against: 'the fastest',
    ratio: Math.max(...times) / Math.min(...times),
    goal: 1.15,
    better: 'at most',
    found: Object.entries(medians)
      .map(([name, time]) => `${name} ${short(time)} ms`)
      .join(', '),
  })
  await product.stop()
}
