import { setTimeout as pause } from 'node:timers/promises'
import { password, post, removePassword, signUp } from './accounts.mjs'
import { poolRate } from './pool.mjs'
import { put } from './servers.mjs'

/** @typedef {{ port: number, database: string }} Product */

const rounds = 3
const median = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const session = (/** @type {string} */ token) => ({ Authorization: `Bearer ${token}` })
const signIns = { path: '/api/signin', connections: 16, addresses: 16 }

/** Throws unless every response has the expected status. @param {import('./load.mjs').Result} result @param {string} [status] */
function only(result, status = '200') {
  const others = Object.keys(result.statuses).filter((code) => code !== status)
  if (others.length > 0) throw new Error(`answers other than ${status}: ${JSON.stringify(result.statuses)}`)
  return result
}

/** Interleaves session checks, passkey options and a constant route, so that a slower machine affects all alike. @param {Product} product @param {number} constantPort */
export async function rates({ port }, constantPort) {
  const headers = session(await signUp(port, 'rates'))
  const loads = {
    constant: { port: constantPort, path: '/c' },
    check: { port, path: '/api/i', headers },
    options: { port, path: '/api/auth/login/options' },
  }
  const run = async (/** @type {keyof typeof loads} */ name, seconds = 3) =>
    only(await put({ ...loads[name], connections: 8, seconds })).rate
  /** @type {Record<keyof typeof loads, number[]>} */
  const found = { constant: [], check: [], options: [] }
  const names = /** @type {(keyof typeof loads)[]} */ (Object.keys(loads))
  for (const name of names) await run(name, 2)
  for (let round = 0; round < rounds; round++) for (const name of names) found[name].push(await run(name))
  return { constant: median(found.constant), check: median(found.check), options: median(found.options) }
}

/** Interleaves password sign-ins and plain hashing. @param {Product} product @param {number} cost */
export async function signInRates({ port }, cost) {
  const names = ['rate-1', 'rate-2', 'rate-3', 'rate-4']
  for (const username of names) await signUp(port, username)
  const bodies = names.map((username) => JSON.stringify({ username, password }))
  const [signIn, pool] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]
  for (let round = 0; round < rounds; round++) {
    pool.push(await poolRate(cost, 5))
    signIn.push(only(await put({ ...signIns, port, bodies, seconds: 5 })).rate)
  }
  return { signIn: median(signIn), pool: median(pool) }
}

/** How long a session check takes, idle and while sixteen clients sign in without pause. @param {Product} product */
export async function storm({ port }) {
  const headers = session(await signUp(port, 'storm'))
  const names = Array.from({ length: 16 }, (_, index) => `storm-${index}`)
  for (const username of names) await signUp(port, username)
  const bodies = names.map((username) => JSON.stringify({ username, password }))
  const probe = { port, path: '/api/i', headers, connections: 1, seconds: 8, pauseMilliseconds: 3 }
  const idle = only(await put(probe))
  const [busy, signedIn] = await Promise.all([put(probe), put({ ...signIns, port, bodies, seconds: 8 })])
  only(signedIn)
  return { idle, busy: only(busy) }
}

/**
 * How long a stranger's right password and a session check take while one address sends wrong ones over 200 connections.
 *
 * @param {Product} product with the default rate limits
 */
export async function flood({ port }) {
  const headers = session(await signUp(port, 'flood'))
  const probe = { port, path: '/api/i', headers, connections: 1, seconds: 6, pauseMilliseconds: 3 }
  const idle = only(await put(probe))
  const bodies = Array.from({ length: 500 }, (_, n) => JSON.stringify({ username: `nobody-${n}`, password: 'wrong' }))
  const flooding = put({ ...signIns, port, bodies, connections: 200, addresses: 1, seconds: 6 })
  /** @type {number[]} */
  const waits = []
  const strangers = async () => {
    for (let turn = 0; turn < 10; turn++) {
      const start = performance.now()
      const { status } = await post(port, '/api/signin', { username: 'flood', password }, `198.18.1.${turn}`)
      waits.push(performance.now() - start)
      if (status !== 200) throw new Error(`a right password answered ${status}`)
      await pause(300)
    }
  }
  const [busy] = await Promise.all([put(probe), strangers()])
  await flooding
  return { idle, busy: only(busy), slowest: Math.max(...waits) }
}

/** Median durations (milliseconds) of failed sign-ins, which must not reveal which accounts exist. @param {Product} product */
export async function failures({ port, database }) {
  await signUp(port, 'known')
  await signUp(port, 'no-password')
  await removePassword(database, 'no-password')
  /** @type {Record<string, number[]>} */
  const waits = { unknown: [], 'no-password': [], known: [] }
  for (let round = 0; round < 25; round++) {
    for (const [username, found] of Object.entries(waits)) {
      const start = performance.now()
      const { status } = await post(port, '/api/signin', { username, password: 'a wrong password' })
      found.push(performance.now() - start)
      if (status !== 401) throw new Error(`a failed sign-in answered ${status}`)
    }
  }
  return Object.fromEntries(Object.entries(waits).map(([name, found]) => [name, median(found)]))
}
