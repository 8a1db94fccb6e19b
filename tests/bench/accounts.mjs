import { randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { fill, idOf, nameOf, passkeyIdOf } from './fill.mjs'
import { openSql } from './sql.mjs'
import { Authenticator } from './support.mjs'

/** @typedef {import('./servers.mjs').Product} Product */

export const password = 'correct horse battery staple'
const template = 'template'

/**
 * Creates an account with a password.
 *
 * @param {number} port
 * @param {string} username
 * @returns {Promise<string>} its session token
 */
export const signUp = async (port, username) => (await signUpFully(port, username)).token

/** @param {number} port @param {string} username @returns {Promise<{ token: string, stepUp: string }>} */
async function signUpFully(port, username) {
  const response = await post(port, '/api/signup', { username, password })
  if (response.status !== 201) throw new Error(`sign-up answered ${response.status}`)
  return response.json()
}

/**
 * @param {number} port
 * @param {string} path
 * @param {object} [body]
 * @param {string} [address] that a proxy would pass on
 * @param {Record<string, string>} [headers]
 */
export const post = (port, path, body, address = '127.0.0.1', headers = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...(body && { 'Content-Type': 'application/json' }), 'X-Forwarded-For': address, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

/** @param {string} token */
export const bearer = (token) => ({ Authorization: `Bearer ${token}` })

/**
 * Creates an account with a password and a passkey, of which `fill` makes copies.
 *
 * @param {Product} product
 * @returns what signs in as each copy: their passkeys share a key
 */
export async function createTemplate({ port, origin }) {
  const authenticator = new Authenticator(origin)
  const { token, stepUp } = await signUpFully(port, template)
  const headers = { ...bearer(token), 'Latchkey-Step-Up': stepUp }
  const options = await post(port, '/api/auth/register/options', {}, undefined, headers)
  const created = authenticator.create(await options.json())
  const { status } = await post(port, '/api/auth/register/verify', created, undefined, headers)
  if (status !== 201) throw new Error(`a new passkey answered ${status}`)
  const [key] = authenticator.passkeys
  if (!key) throw new Error('There is no passkey.')
  const passkeyOf = (/** @type {number} */ index) => ({ ...key, id: passkeyIdOf(index), userHandle: idOf(index) })
  return { authenticator, passkeyOf }
}

/** @param {string} databaseUrl with a template @param {number} count of copies */
export async function copyTemplate(databaseUrl, count) {
  const sql = await openSql(databaseUrl)
  await fill(sql, template, count)
  await sql.close()
}

/** Both. @param {Product} product @param {number} count */
export async function populate(product, count) {
  const population = await createTemplate(product)
  await copyTemplate(product.databaseUrl, count)
  return population
}

/** Session tokens of copies, as the product signs them (docs/tokens.md). @param {Product} product @param {number[]} indices */
export function sessionTokens({ secret }, indices) {
  const key = new TextEncoder().encode(secret)
  const now = Math.floor(Date.now() / 1000)
  const claims = { epoch: 0, amr: ['pwd'], auth_time: now, iat: now, exp: now + 86_400 }
  const sign = (/** @type {number} */ index) =>
    new SignJWT({ ...claims, sub: idOf(index), jti: randomBytes(16).toString('base64url') })
      .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt' })
      .sign(key)
  return Promise.all(indices.map(sign))
}

/**
 * So many of `total` accounts, evenly spread; of fewer accounts each in turn, several times.
 *
 * @param {number} count
 * @param {number} total
 */
export const someOf = (count, total) =>
  Array.from({ length: count }, (_, n) => (count > total ? n % total : Math.floor((n * total) / count)))

/** Bodies of password sign-ins. @param {number[]} indices */
export const signInBodies = (indices) => indices.map((index) => JSON.stringify({ username: nameOf(index), password }))

/**
 * Bodies of passkey sign-ins, signed before they are sent. Each can be sent once, within ten minutes.
 *
 * @param {Product} product
 * @param {Awaited<ReturnType<typeof populate>>} population
 * @param {number[]} indices
 */
export async function passkeyBodies({ port }, { authenticator, passkeyOf }, indices) {
  /** @type {string[]} */
  const bodies = []
  for (const [turn, index] of indices.entries()) {
    const address = `198.19.${(turn >> 8) & 255}.${turn & 255}`
    const options = await post(port, '/api/auth/login/options', undefined, address)
    bodies.push(JSON.stringify(authenticator.get(await options.json(), {}, passkeyOf(index))))
  }
  return bodies
}
