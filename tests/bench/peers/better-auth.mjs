import { createHmac } from 'node:crypto'
import { password } from '../accounts.mjs'
import { idIn, idOf, series } from '../fill.mjs'
import { addresses, newAccounts, wrongOf } from '../loads.mjs'
import { openSql } from '../sql.mjs'
import { Authenticator } from '../support.mjs'
import { prepareBetterAuth } from './better-auth-app.mjs'

/** @typedef {import('./latchkey.mjs').Contestant} Contestant */

const api = '/api/auth'
const emailOf = (/** @type {number} */ index) => `person-${index}@example.com`

/**
 * Signs up one account with a passkey, and copies it by SQL as Latchkey's is.
 *
 * @param {string} name
 * @param {number} accounts
 * @param {Record<string, string>} [settings]
 * @returns {Promise<Contestant>}
 */
export async function betterAuth(name, accounts, settings) {
  const app = await prepareBetterAuth(settings)
  const { DATABASE_FILE, ORIGIN, SECRET } = app.settings
  const headers = { Origin: ORIGIN }
  const server = await app.start()
  const ask = askerOf(server.port, headers)
  const authenticator = new Authenticator(ORIGIN)
  const { cookie, result } = await ask('/sign-up/email', { name: 'template', email: 'template@example.com', password })
  if (cookie !== cookieOf(SECRET, result.token)) throw new Error('better-auth signs its cookies in another way.')
  await addPasskey(ask, authenticator, cookie)
  await copyRows(DATABASE_FILE, accounts)
  // Who is not signed in is answered with 200, too.
  const checked = await ask('/get-session', {}, cookieOf(SECRET, tokenOf(0)), 'GET')
  if (checked.result === null) throw new Error('better-auth does not know the copied sessions.')
  await server.stop()
  const indices = Array.from({ length: accounts }, (_, index) => index)
  const each = indices.map((index) => ({ Cookie: cookieOf(SECRET, tokenOf(index)) }))
  const bodies = indices.map((index) => JSON.stringify({ email: emailOf(index), password }))
  const check = { path: `${api}/get-session`, method: 'GET' }
  // It has no options for an account that has not signed in.
  const options = { path: `${api}/passkey/generate-authenticate-options`, method: 'GET' }
  const signIn = { path: `${api}/sign-in/email`, headers, addresses, connections: 16 }
  return {
    name,
    start: app.start,
    kinds: {
      checkOne: { ...check, each: each.slice(0, 1) },
      check: { ...check, each, addresses },
      options,
      optionsEach: { ...options, addresses },
      signIn: { ...signIn, bodies },
      wrong: { ...signIn, bodies: wrongOf(bodies), status: '401' },
      signUp: () => {
        const created = newAccounts((one) => ({ name: one, email: `${one}@example.com`, password }))
        return { ...signIn, path: `${api}/sign-up/email`, bodies: created }
      },
      async passkey(count) {
        const signed = []
        for (let turn = 0; turn < count; turn++) signed.push(await authenticate(ask, authenticator, turn))
        const cookies = signed.map(({ Cookie }) => ({ Cookie }))
        const sent = { each: cookies, bodies: signed.map(({ body }) => body), addresses: count, most: count }
        return { path: `${api}/passkey/verify-authentication`, headers, ...sent }
      },
    },
  }
}

const tokenOf = (/** @type {number} */ index) => `token${idOf(index)}`
const credentialOf = (/** @type {number} */ index) => `${idOf(index)}passkey`

/** @param {string} secret @param {string} token */
function cookieOf(secret, token) {
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

/** @typedef {ReturnType<typeof askerOf>} Ask calls an endpoint as a browser would */

/** @param {number} port @param {Record<string, string>} common headers */
const askerOf =
  (port, common) =>
  async (/** @type {string} */ path, /** @type {object} */ body = {}, Cookie = '', method = 'POST') => {
    const headers = { ...common, 'Content-Type': 'application/json', ...(Cookie && { Cookie }) }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, { method, headers, ...sent })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    const cookies = response.headers.getSetCookie().map((line) => line.split(';', 1)[0])
    return { cookie: cookies.join('; '), result: await response.json() }
  }

/** @param {Ask} ask @param {InstanceType<typeof Authenticator>} authenticator @param {string} session */
async function addPasskey(ask, authenticator, session) {
  const { result, cookie } = await ask('/passkey/generate-register-options', {}, session, 'GET')
  const body = { name: 'A key', response: authenticator.create(result) }
  await ask('/passkey/verify-registration', body, `${session}; ${cookie}`)
}

/** @param {Ask} ask @param {InstanceType<typeof Authenticator>} authenticator @param {number} index */
async function authenticate(ask, authenticator, index) {
  const { result, cookie } = await ask('/passkey/generate-authenticate-options', {}, '', 'GET')
  const [key] = authenticator.passkeys
  if (!key) throw new Error('There is no passkey.')
  const response = authenticator.get(result, {}, { ...key, id: credentialOf(index) })
  return { Cookie: cookie, body: JSON.stringify({ response }) }
}

/** What a copy has of its own, by table and column. @type {Record<string, Record<string, string>>} */
const copies = {
  user: { id: 'X', email: "'person-' || n.i || '@example.com'" },
  account: { id: 'X', accountId: 'X', userId: 'X' },
  session: { id: 'X', userId: 'X', token: "'token' || X" },
  passkey: { id: 'X', userId: 'X', credentialID: "X || 'passkey'" },
}

/** @param {string} file @param {number} count */
async function copyRows(file, count) {
  const sql = await openSql(`file:${file}`)
  for (const [table, own] of Object.entries(copies)) {
    const columns = (await sql.rows(`SELECT name FROM pragma_table_info('${table}')`)).map(({ name }) => String(name))
    const values = columns.map((name) => (own[name] ?? `t."${name}"`).replaceAll('X', idIn('sqlite')))
    const list = columns.map((name) => `"${name}"`).join(', ')
    await sql.run(`CREATE TEMP TABLE template AS SELECT * FROM "${table}";
      INSERT INTO "${table}" (${list}) SELECT ${values.join(', ')} FROM ${series('sqlite', count)}, template t;
      DROP TABLE template`)
  }
  await sql.close()
}
