// Calls the endpoints of OpenID Connect, and those around it.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { bearer, password } from '../accounts.mjs'
import { environment } from '../servers.mjs'
import { root } from '../support.mjs'
import { ask, authorizationRequest, formOf, tokenRequest } from './requests.mjs'

/** @typedef {import('./requests.mjs').App} App */

/** CRON_SECRET, with which `/api/deliver` is called. */
export const cronSecret = randomBytes(24).toString('base64url')

/** The browser of a person who uses an app, and the app. */
class Visitor {
  /** @type {Record<string, string>} */
  headers = {}
  #product

  /** @param {import('../servers.mjs').Product} product */
  constructor(product) {
    this.#product = product
  }

  /** @param {string} method @param {string} path @param {Record<string, string>} [headers] @param {string} [body] */
  async #send(method, path, headers = {}, body) {
    const answer = await ask(this.#product, method, path, { ...this.headers, ...headers }, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.body}`)
    return answer
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  get = (path, headers) => this.#send('GET', path, headers)

  /** @param {string} path @param {object} [body] @param {Record<string, string>} [headers] */
  async post(path, body, headers = {}) {
    const type = body && { 'Content-Type': 'application/json' }
    const { body: text, cookie } = await this.#send('POST', path, { ...type, ...headers }, body && JSON.stringify(body))
    return { ...(text === '' ? {} : JSON.parse(text)), cookie }
  }

  /** @param {string} path @param {string} form @param {Record<string, string>} [headers] */
  async submit(path, form, headers = {}) {
    const { body, location } = await this.#send('POST', path, { ...formOf(), ...headers }, form)
    return location === '' && body !== '' ? JSON.parse(body) : {}
  }
}

/** @param {import('../servers.mjs').Product} product */
export async function exerciseApps(product) {
  const { visitor, app } = await visit(product)
  await exerciseTokens(visitor, app, await codeFor(visitor, app))
  const { apps } = await visitor.post('/api/i/apps')
  await visitor.post('/api/i/apps/revoke', { id: apps[0].id })
  await exerciseLogout(visitor, app)
  await visitor.post('/api/deliver', undefined, bearer(cronSecret))
}

/** The access token of an app that somebody has signed in to. @param {import('../servers.mjs').Product} product */
export async function accessTokenOf(product) {
  const { visitor, app } = await visit(product)
  const code = await codeFor(visitor, app)
  const { access_token } = await visitor.submit('/api/oauth/token', tokenRequest(app, code))
  return /** @type {string} */ (access_token)
}

/** Somebody signed in, and an app. @param {import('../servers.mjs').Product} product */
async function visit(product) {
  const visitor = new Visitor(product)
  const username = `apps-${randomBytes(4).toString('hex')}`
  const { cookie, stepUp } = await visitor.post('/api/signup', { username, password })
  visitor.headers = { Cookie: cookie, 'Latchkey-Step-Up': stepUp }
  return { visitor, app: registerApp(product) }
}

/** @param {import('../servers.mjs').Product} product @returns {App} */
function registerApp({ databaseUrl, secret }) {
  const redirectUri = 'https://app.example.com/callback'
  const name = `Exercise ${randomBytes(4).toString('hex')}`
  const words = ['build/accounts.mjs', 'app', 'add', name, redirectUri, '--json']
  const env = environment({ DATABASE_URL: databaseUrl, JWT_SECRET: secret })
  const added = JSON.parse(execFileSync(process.execPath, words, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' }))
  return { id: added.app.id, secret: added.secret, redirectUri }
}

/** @param {string} location */
const queryOf = (location) => new URLSearchParams(location.split('?')[1])

/** Through consent, to the code that the app gets. @param {Visitor} visitor @param {App} app */
async function codeFor(visitor, app) {
  const parameters = new URLSearchParams(authorizationRequest(app))
  parameters.set('scope', 'openid profile offline_access')
  await visitor.submit('/api/oauth/authorize', parameters.toString())
  const asked = await visitor.get(`/api/oauth/authorize?${parameters}`)
  const request = queryOf(asked.location).get('request')
  await visitor.post('/api/oauth/request', { request })
  const { location } = await visitor.post('/api/oauth/consent', { request, allow: true })
  const code = queryOf((await visitor.get(location)).location).get('code')
  if (!code) throw new Error('The app got no code.')
  return code
}

/** @param {Visitor} visitor @param {App} app @param {string} code */
async function exerciseTokens(visitor, app, code) {
  const own = { client_id: app.id, client_secret: app.secret }
  const tokens = await visitor.submit('/api/oauth/token', tokenRequest(app, code))
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, ...own }
  const { access_token, refresh_token } = await visitor.submit('/api/oauth/token', `${new URLSearchParams(refresh)}`)
  await visitor.get('/api/oauth/userinfo', bearer(access_token))
  await visitor.submit('/api/oauth/userinfo', '', bearer(access_token))
  await visitor.submit('/api/oauth/revoke', `${new URLSearchParams({ token: refresh_token, ...own })}`)
}

/** @param {Visitor} visitor @param {App} app */
async function exerciseLogout(visitor, app) {
  const parameters = new URLSearchParams({ client_id: app.id })
  await visitor.submit('/api/oauth/logout', `${parameters}`)
  const request = queryOf((await visitor.get(`/api/oauth/logout?${parameters}`)).location).get('request')
  await visitor.post('/api/oauth/logout/request', { request })
  await visitor.post('/api/oauth/logout/confirm', { request })
}
