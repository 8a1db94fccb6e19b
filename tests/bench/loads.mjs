// The requests that rates are measured with: spread over addresses and accounts, so that no rate limit and no memory of one
// client helps or hinders.
import { bearer, passkeyBodies, sessionTokens, signInBodies, someOf } from './accounts.mjs'
import { processCpu } from './process-cost.mjs'
import { only, put } from './servers.mjs'

/** @typedef {import('./servers.mjs').Product} Product */
/** @typedef {Awaited<ReturnType<typeof import('./accounts.mjs').populate>>} Population */

const addresses = 10_000
let signUps = 0

/** @param {import('./load.mjs').Load} load @param {string} [status] */
const run = async (load, status) => only(await put(load), status)

/** @param {() => Promise<import('./load.mjs').Result>} request */
export const rateOf = (request) => async () => (await request()).rate

/**
 * Puts each kind of request on the server for some seconds.
 *
 * @param {Product} product
 * @param {number} accounts how many copies there are
 */
export async function requestsOf(product, accounts) {
  const { port } = product
  const indices = someOf(Math.min(10_000, accounts), accounts)
  const tokens = (await sessionTokens(product, indices)).map(bearer)
  const names = signInBodies(indices)
  const common = { port, connections: 8, seconds: 3 }
  return {
    checkOne: () => run({ ...common, path: '/api/i', each: tokens.slice(0, 1) }),
    check: () => run({ ...common, path: '/api/i', each: tokens, addresses }),
    options: () => run({ ...common, path: '/api/auth/login/options', bodies: names.map(withoutPassword), addresses }),
    signIn: () => run({ port, path: '/api/signin', bodies: names, addresses, connections: 16, seconds: 5 }),
    signUp: () => {
      const bodies = Array.from({ length: 2_000 }, () => newAccount(signUps++))
      return run({ port, path: '/api/signup', bodies, addresses, connections: 16, seconds: 5 }, '201')
    },
  }
}

const withoutPassword = (/** @type {string} */ body) => JSON.stringify({ username: JSON.parse(body).username })

/** @param {number} index */
const newAccount = (index) => JSON.stringify({ username: `new-${index}`, password: 'correct horse battery staple' })

/**
 * Passkey sign-ins: how many a second, and milliseconds of the server's CPU for each.
 *
 * @param {Product} product
 * @param {Population} population
 * @param {number} accounts
 * @param {number} [count]
 */
export async function passkeySignIns(product, population, accounts, count = 500) {
  const bodies = await passkeyBodies(product, population, someOf(count, accounts))
  const before = processCpu(product.pid)
  const load = { port: product.port, path: '/api/auth/login/verify', bodies, addresses: count, connections: 8 }
  const { rate } = only(await put({ ...load, seconds: 60, once: true }))
  return { rate, cpu: (processCpu(product.pid) - before) / count }
}

/**
 * The same mixed load for memory: every kind of request at once.
 *
 * @param {Product} product
 * @param {number} accounts
 * @param {number} seconds
 */
export async function mixedLoad(product, accounts, seconds) {
  const { port } = product
  const indices = someOf(Math.min(10_000, accounts), accounts)
  const each = (await sessionTokens(product, indices)).map(bearer)
  const bodies = signInBodies(indices)
  const wrong = indices.map((index) => JSON.stringify({ username: `nobody-${index}`, password: 'a wrong password' }))
  const common = { port, addresses, seconds, connections: 16 }
  await Promise.all([
    put({ ...common, path: '/api/i', each }),
    put({ ...common, path: '/api/auth/login/options' }),
    put({ ...common, path: '/api/signin', bodies }),
    put({ ...common, path: '/api/signin', bodies: wrong }),
    put({ ...common, path: '/signin', method: 'GET', connections: 4 }),
  ])
}
