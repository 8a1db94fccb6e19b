// Latchkey and oidc-provider, each with an app and people who are signed in and have let it in.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onceFor } from '../../support/project/once-for.mjs'
import { appFolder } from '../built-apps.mjs'
import { environment, start, startProduct } from '../servers.mjs'
import { freePort, root } from '../support.mjs'
import { ask, authorizationRequest, formOf } from './requests.mjs'

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {import('../servers.mjs').Server} server
 * @property {import('./requests.mjs').App} app
 * @property {string} authorize path of the authorization endpoint
 * @property {string} token path of the token endpoint
 * @property {string[]} cookies of people who are signed in
 */

const redirectUri = 'https://app.example.com/callback'
const people = Array.from({ length: 20 }, (_, index) => `person-${index}`)

export const packages = { 'oidc-provider': '9.13.3' }

/** @returns {Promise<Contestant>} */
export async function latchkey() {
  const server = await startProduct(10)
  const env = environment({ DATABASE_URL: server.databaseUrl, JWT_SECRET: server.secret })
  const words = ['build/accounts.mjs', 'app', 'add', 'Bench', redirectUri, '--json']
  const added = JSON.parse(execFileSync(process.execPath, words, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' }))
  const app = { id: added.app.id, secret: added.secret, redirectUri }
  const one = { name: 'Latchkey', server, app, authorize: '/api/oauth/authorize', token: '/api/oauth/token' }
  const post = (/** @type {string} */ path, /** @type {object} */ body, Cookie = '') =>
    ask(server, 'POST', path, { Cookie, 'Content-Type': 'application/json' }, JSON.stringify(body))
  const cookies = []
  for (const username of people) {
    const { cookie } = await post('/api/signup', { username, password: 'a sentence that nobody else would choose' })
    const asked = await ask(server, 'GET', `${one.authorize}?${authorizationRequest(app)}`, { Cookie: cookie })
    const request = new URL(asked.location, server.origin).searchParams.get('request')
    const { status, body } = await post('/api/oauth/consent', { request, allow: true }, cookie)
    if (status !== 200) throw new Error(`Latchkey lets nobody in: ${body}`)
    cookies.push(cookie)
  }
  return { ...one, cookies }
}

/**
 * Installs it below build/ unless that was done before.
 *
 * @param {string} name
 * @param {Record<string, string>} [more] settings
 * @returns {Promise<Contestant>}
 */
export async function oidcProvider(name, more = {}) {
  const folder = appFolder('oidc-provider')
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages })
  onceFor(folder, 'install', [manifest], () => {
    console.log('       installing oidc-provider')
    writeFileSync(join(folder, 'package.json'), manifest)
    const words = ['install', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', words, { cwd: folder, stdio: 'inherit' })
  })
  copyFileSync(join(import.meta.dirname, 'oidc-provider/server.js'), join(folder, 'server.js'))
  const app = { id: 'bench', secret: randomBytes(32).toString('base64url'), redirectUri }
  const port = await freePort()
  const server = await start({
    cwd: folder,
    words: ['server.js'],
    path: '/.well-known/openid-configuration',
    port,
    settings: {
      PORT: String(port),
      SECRET: randomBytes(32).toString('base64url'),
      CLIENT_ID: app.id,
      CLIENT_SECRET: app.secret,
      REDIRECT_URI: redirectUri,
      ...more,
    },
  })
  const one = { name, server, app, authorize: '/auth', token: '/token' }
  const cookies = []
  for (const person of people) cookies.push(await letIn(one, person))
  return { ...one, cookies }
}

/** Through its own pages: who it is, then consent. @param {Omit<Contestant, 'cookies'>} one @param {string} person */
async function letIn({ server, app, authorize }, person) {
  const jar = new Map()
  let path = `${authorize}?${authorizationRequest(app)}`
  for (let turn = 0; turn < 8; turn++) {
    const isPage = path.startsWith('/interaction/')
    const form = { prompt: jar.has('_session') ? 'consent' : 'login', login: person, password: 'any' }
    const headers = { Cookie: [...jar].map((pair) => pair.join('=')).join('; ') }
    const answer = isPage
      ? await ask(server, 'POST', path, { ...headers, ...formOf() }, new URLSearchParams(form).toString())
      : await ask(server, 'GET', path, headers)
    for (const cookie of answer.cookie.split('; ')) {
      const [name = '', value = ''] = cookie.split(/=(.*)/s)
      if (name !== '') jar.set(name, value)
    }
    if (answer.location.startsWith(redirectUri)) return [...jar].map((pair) => pair.join('=')).join('; ')
    path = answer.location.replace(/^http:\/\/[^/]+/, '')
  }
  throw new Error('oidc-provider lets nobody in.')
}
