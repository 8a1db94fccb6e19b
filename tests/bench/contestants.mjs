// The same requests to Latchkey and to better-auth.
import {
  bearer,
  copyTemplate,
  createTemplate,
  passkeyBodies,
  password,
  sessionTokens,
  signInBodies,
  someOf,
} from './accounts.mjs'
import { freePort, startProduct } from './servers.mjs'
import { Authenticator } from './support.mjs'

/** @typedef {Omit<import('./load.mjs').Load, 'port' | 'connections' | 'seconds'>} Requests */

/**
 * @typedef {object} Contestant
 * @property {() => Promise<import('./servers.mjs').Server>} start it on its data
 * @property {Requests} check of sessions of different accounts in turn
 * @property {Requests} options
 * @property {Requests} signIn
 * @property {Requests} wrong password
 * @property {() => Requests} signUp of names that nobody has
 * @property {string} signedUp status
 * @property {(port: number, count: number) => Promise<Requests>} passkey sign-ins, signed before they are sent
 * @property {string} page for signing in, and a selector of its button
 */

const addresses = 10_000
const page = '/signin'
let newAccounts = 0
const names = (/** @type {(name: string) => object} */ toBody) =>
  Array.from({ length: 2_000 }, () => JSON.stringify(toBody(`new-${newAccounts++}`)))

/** @param {number} accounts @returns {Promise<Contestant>} */
export async function latchkey(accounts) {
  // The same after each start, since passkeys belong to its origin.
  const PORT = String(await freePort())
  const product = await startProduct(10, { PORT })
  const population = await createTemplate(product)
  await product.stop()
  await copyTemplate(product.databaseUrl, accounts)
  const indices = someOf(accounts, accounts)
  const { databaseUrl: DATABASE_URL, secret: JWT_SECRET } = product
  const bodies = signInBodies(indices)
  return {
    start: () => startProduct(10, { DATABASE_URL, JWT_SECRET, PORT }),
    check: { path: '/api/i', each: (await sessionTokens(product, indices)).map(bearer), addresses },
    options: { path: '/api/auth/login/options', addresses },
    signIn: { path: '/api/signin', bodies, addresses },
    wrong: { path: '/api/signin', bodies: bodies.map((body) => body.replace(password, 'a wrong password')), addresses },
    signUp: () => ({ path: '/api/signup', bodies: names((username) => ({ username, password })), addresses }),
    signedUp: '201',
    passkey: async (port, count) => {
      const signed = await passkeyBodies({ ...product, port }, population, someOf(count, accounts))
      return { path: '/api/auth/login/verify', bodies: signed, addresses: count }
    },
    page,
  }
}

/** @param {() => Promise<import('./servers.mjs').Server & { origin: string }>} start @param {number} accounts @returns {Promise<Contestant>} */
export async function betterAuth(start, accounts) {
  const server = await start()
  const { origin } = server
  const client = new Peer(server.port, origin)
  const authenticator = new Authenticator(origin)
  /** @type {string[]} */
  const cookies = []
  for (let index = 0; index < accounts; index++) {
    cookies.push(await client.signUp(`person-${index}@example.com`))
    if (index < 100) await client.addPasskey(authenticator, /** @type {string} */ (cookies[index]))
  }
  await server.stop()
  const headers = { Origin: origin }
  const signIn = { path: '/api/auth/sign-in/email', headers, addresses }
  const bodies = cookies.map((_, index) => JSON.stringify({ email: `person-${index}@example.com`, password }))
  return {
    start,
    check: { path: '/api/auth/get-session', method: 'GET', each: cookies.map((Cookie) => ({ Cookie })), addresses },
    options: { path: '/api/auth/passkey/generate-authenticate-options', method: 'GET', addresses },
    signIn: { ...signIn, bodies },
    wrong: { ...signIn, bodies: bodies.map((body) => body.replace(password, 'a wrong password')) },
    signUp: () => ({
      path: '/api/auth/sign-up/email',
      headers,
      bodies: names((name) => ({ name, email: `${name}@example.com`, password })),
      addresses,
    }),
    signedUp: '200',
    passkey: async (_port, count) => {
      const signed = []
      for (let turn = 0; turn < count; turn++) signed.push(await client.authenticate(authenticator, turn))
      const each = signed.map(({ Cookie }) => ({ Cookie }))
      const path = '/api/auth/passkey/verify-authentication'
      return { path, headers, each, bodies: signed.map(({ body }) => body), addresses: count }
    },
    page,
  }
}

/** Calls better-auth as a browser would. */
class Peer {
  #url
  #origin

  /** @param {number} port @param {string} origin */
  constructor(port, origin) {
    this.#url = `http://127.0.0.1:${port}/api/auth`
    this.#origin = origin
  }

  /** @param {string} path @param {object} [body] @param {string} [Cookie] */
  async #ask(path, body, Cookie = '') {
    const response = await fetch(`${this.#url}${path}`, {
      headers: { Origin: this.#origin, ...(body && { 'Content-Type': 'application/json' }), ...(Cookie && { Cookie }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    return { cookie, result: await response.json() }
  }

  /** @param {string} email @returns its session cookie */
  async signUp(email) {
    return (await this.#ask('/sign-up/email', { name: email, email, password })).cookie
  }

  /** @param {InstanceType<typeof Authenticator>} authenticator @param {string} session */
  async addPasskey(authenticator, session) {
    const { result, cookie } = await this.#ask('/passkey/generate-register-options', undefined, session)
    const body = { name: 'A key', response: authenticator.create(result) }
    await this.#ask('/passkey/verify-registration', body, `${session}; ${cookie}`)
  }

  /** @param {InstanceType<typeof Authenticator>} authenticator @param {number} turn */
  async authenticate(authenticator, turn) {
    const { result, cookie } = await this.#ask('/passkey/generate-authenticate-options')
    const passkey = authenticator.passkeys[turn % authenticator.passkeys.length]
    return { Cookie: cookie, body: JSON.stringify({ response: authenticator.get(result, {}, passkey) }) }
  }
}
