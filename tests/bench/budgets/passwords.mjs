import { setTimeout as pause } from 'node:timers/promises'
import { bearer, password, post, removePassword, signUp } from '../accounts.mjs'
import { interleaved, median } from '../interleave.mjs'
import { short } from '../report.mjs'
import { only, put, startProduct } from '../servers.mjs'
import { poolRate } from './pool.mjs'

/** @typedef {import('../report.mjs').Report} Report */
/** @typedef {import('../servers.mjs').Product} Product */

const proberName = 'prober'
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
  const { signIn, pool } = await interleaved({
    pool: () => poolRate(cost, 4),
    signIn: async () => only(await put({ ...signIns, port: product.port, bodies, seconds: 4 })).rate,
  })
  const goal = /** @type {const} */ ({ of: '/s', better: 'at least', goal: 0.95 })
  report.compare(`password sign-ins a second, cost ${cost}`, 'what the pool hashes alone', [signIn, pool], goal)
  await product.stop()
}

/** How long a session check takes, idle and while 64 clients sign in without pause. @param {Report} report */
export async function benchStorm(report) {
  const product = await startProduct(10)
  const bodies = await accounts(product, 16)
  const probe = await prober(product)
  const storm = { ...signIns, port: product.port, bodies, connections: 64, seconds: probe.seconds }
  const { idle, busy } = await interleaved({
    idle: async () => only(await put(probe)).p99,
    busy: async () => (await besides(probe, async () => only(await put(storm)))).p99,
  })
  const what = 'p99 of a session check beside 64 clients signing in'
  report.compare(what, 'idle', [busy, idle], { of: ' ms', better: 'at most', goal: 3 })
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
  const probe = { ...(await prober(product)), seconds: 8 }
  const bodies = Array.from({ length: 500 }, (_, n) => JSON.stringify({ username: `nobody-${n}`, password: 'wrong' }))
  const idle = only(await put(probe)).p99
  /** @type {number[]} */
  const waits = []
  const busy = await besides(probe, async () => {
    const flooding = put({ ...signIns, port, bodies, connections: 200, addresses: 1, seconds: probe.seconds })
    for (let turn = 0; turn < 10; turn++) {
      const start = performance.now()
      const { status } = await post(port, '/api/signin', { username: proberName, password }, `198.19.1.${turn}`)
      // Who is told to come back later has not signed in.
      waits.push(status === 200 ? performance.now() - start : Number.POSITIVE_INFINITY)
      await pause(300)
    }
    await flooding
  })
  const what = 'while one address sends wrong ones over 200 connections'
  report.add({
    what: `the slowest of ten strangers' right passwords, ${what}`,
    against: 'nothing',
    ratio: Math.max(...waits) / 1000,
    unit: ' s',
    better: 'at most',
    goal: 2,
    found: `median ${short(median(waits))} ms`,
  })
  const goal = /** @type {const} */ ({ of: ' ms', better: 'at most', goal: 3 })
  report.compare(`p99 of a session check ${what}`, 'idle', [busy.p99, idle], goal)
  await product.stop()
}

/** A session check from time to time. @param {Product} product */
async function prober({ port }) {
  const headers = bearer(await signUp(port, proberName))
  return { port, path: '/api/i', headers, connections: 1, seconds: 4, pauseMilliseconds: 3 }
}

/** @param {import('../load.mjs').Load} probe @param {() => Promise<unknown>} load */
async function besides(probe, load) {
  const [probed] = await Promise.all([put(probe), load()])
  return only(probed)
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
