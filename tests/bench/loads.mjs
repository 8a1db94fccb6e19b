// The requests that are measured: spread over addresses and accounts, so that no rate limit and no memory of one client helps
// or hinders.
import { bearer, passkeyBodies, password, sessionTokens, signInBodies, someOf } from './accounts.mjs'
import { quick } from './options.mjs'
import { only, put } from './servers.mjs'

/**
 * @typedef {Partial<import('./load.mjs').Load> & { path: string, status?: string }} Requests what they have beside a port and
 *   seconds, and the status of every answer: 200 unless given
 *
 * @typedef {object} Kinds
 * @property {Requests} checkOne session checks of one session
 * @property {Requests} check of sessions of different accounts in turn
 * @property {Requests} optionsEach for an account's, each for another one, where there is such a thing
 * @property {Requests} signIn
 * @property {() => Requests} signUp of names that nobody has
 * @property {(count: number) => Promise<Requests>} passkey sign-ins, signed before they are sent, once each
 */

/** @typedef {Awaited<ReturnType<typeof import('./accounts.mjs').populate>>} Population */

const addresses = 10_000
let signUps = 0

/**
 * @param {import('./servers.mjs').Product} product
 * @param {Population} population
 * @param {number} accounts how many copies there are
 * @returns {Promise<Kinds>}
 */
export async function requestsOf(product, population, accounts) {
  // As many of few accounts as of many: what is measured is how many there are, not how many ask.
  const indices = someOf(10_000, accounts)
  const each = (await sessionTokens(product, indices)).map(bearer)
  const bodies = signInBodies(indices)
  const names = bodies.map((body) => JSON.stringify({ username: JSON.parse(body).username }))
  const signIn = { path: '/api/signin', addresses, connections: 16 }
  return {
    checkOne: { path: '/api/i', each: each.slice(0, 1) },
    check: { path: '/api/i', each, addresses },
    optionsEach: { path: '/api/auth/login/options', bodies: names, addresses },
    signIn: { ...signIn, bodies },
    signUp: () => {
      const created = Array.from({ length: 1_000 }, () => JSON.stringify({ username: `new-${signUps++}`, password }))
      return { ...signIn, path: '/api/signup', bodies: created, status: '201' }
    },
    passkey: async (count) => {
      const signed = await passkeyBodies(product, population, someOf(count, accounts))
      return { path: '/api/auth/login/verify', bodies: signed, addresses: count, most: count }
    },
  }
}

/**
 * Puts requests on a server, and throws if one is not answered as it should be.
 *
 * @param {{ port: number }} server
 * @param {Requests} requests
 * @param {number} [seconds]
 */
export const send = async ({ port }, { status, ...requests }, seconds = 3) =>
  only(await put({ connections: 8, ...requests, port, seconds }), status)

const warmUps = 10_000

/**
 * Puts so many requests on a server that V8 has optimized what answers them: a slow server would otherwise be measured cold,
 * since a second of it is so few requests.
 *
 * @param {{ port: number }} server
 * @param {Requests} requests
 * @param {number} [count]
 */
export async function warmUp(server, requests, count = warmUps) {
  await send(server, { ...requests, most: quick ? count / 20 : count }, 120)
}

/**
 * Measures how many a second are answered.
 *
 * @param {{ port: number }} server
 * @param {Requests | (() => Requests)} requests
 * @param {number} [seconds]
 */
export const rateOf = (server, requests, seconds) => async () =>
  (await send(server, typeof requests === 'function' ? requests() : requests, seconds)).rate

/** @param {{ port: number }} server @param {Kinds} kinds @param {number} count */
export async function sendPasskeys(server, kinds, count) {
  const requests = await kinds.passkey(quick ? count / 8 : count)
  return () => send(server, requests, 60)
}
