// Calls what people, apps and programs call, so that the statements behind it run.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { bearer, password, post } from '../accounts.mjs'
import { Authenticator } from '../support.mjs'
import { exerciseApps } from './exercise-apps.mjs'

/** Calls endpoints as one account. */
class Caller {
  #port
  #token = ''
  #stepUp = ''

  /** @param {number} port */
  constructor(port) {
    this.#port = port
  }

  /** @param {string} path @param {object} [body] @param {number} [expected] */
  async call(path, body, expected) {
    const headers = {
      ...(this.#token && bearer(this.#token)),
      ...(this.#stepUp && { 'Latchkey-Step-Up': this.#stepUp }),
    }
    const response = await post(this.#port, path, body, undefined, headers)
    const text = await response.text()
    if (expected === undefined ? !response.ok : response.status !== expected) throw new Error(`${path}: ${text}`)
    const result = text === '' ? {} : JSON.parse(text)
    this.#token = result.token ?? this.#token
    this.#stepUp = result.stepUp ?? this.#stepUp
    return result
  }

  forget() {
    this.#token = ''
    this.#stepUp = ''
  }
}

/** @param {import('../servers.mjs').Product} product */
export async function exercise(product) {
  const { port, origin } = product
  const caller = new Caller(port)
  const authenticator = new Authenticator(origin)
  const username = `exercise-${randomBytes(4).toString('hex')}`
  await exercisePassword(caller, username)
  await exercisePasskeys(caller, authenticator, username)
  await exerciseLists(caller)
  await exerciseEnds(caller, username)
  await exercisePasskeyAccount(caller, authenticator, `${username}-key`)
  for (const path of ['/api/health', '/api/forward-auth', '/signin']) {
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  }
  await exerciseApps(product)
  // What has expired is removed a minute after the start.
  await pause(61_000)
}

/** @param {Caller} caller @param {string} username */
async function exercisePassword(caller, username) {
  await caller.call('/api/signup', { username, password })
  caller.forget()
  await caller.call('/api/signin', { username, password: 'a wrong password' }, 401)
  await caller.call('/api/signin', { username: `${username}-none`, password: 'a wrong password' }, 401)
  await caller.call('/api/signin', { username, password })
  // Again with a session, which the new one replaces.
  await caller.call('/api/signin', { username, password })
}

/** @param {Caller} caller @param {InstanceType<typeof Authenticator>} authenticator @param {string} username */
async function exercisePasskeys(caller, authenticator, username) {
  for (const _ of [1, 2]) {
    const options = await caller.call('/api/auth/register/options', {})
    await caller.call('/api/auth/register/verify', authenticator.create(options))
  }
  const [first, second] = authenticator.passkeys.map(({ id }) => id)
  await caller.call('/api/i/passkeys/rename', { id: first, name: 'A key' })
  await caller.call('/api/i/passkeys/remove', { id: second })
  authenticator.passkeys.pop()
  await caller.call('/api/auth/login/options', {})
  caller.forget()
  await caller.call(
    '/api/auth/login/verify',
    authenticator.get(await caller.call('/api/auth/login/options', { username })),
  )
}

/** @param {Caller} caller */
async function exerciseLists(caller) {
  await caller.call('/api/i')
  await caller.call('/api/i/notices')
  await caller.call('/api/i/notices/dismiss', { until: new Date().toISOString() })
  await caller.call('/api/i/hint', { remember: true })
  for (const kind of [undefined, 'sign_ins', 'changes']) await caller.call('/api/i/events', { kind })
  // The session is read before the app, which CLIENT_ORIGINS does not name here.
  await caller.call('/api/token', {}, 400)
  const { sessions } = await caller.call('/api/i/sessions')
  const other = sessions.find((/** @type {{ current: boolean }} */ { current }) => !current)
  await caller.call('/api/i/sessions/revoke', { id: other.id })
}

/** @param {Caller} caller @param {string} username */
async function exerciseEnds(caller, username) {
  const { codes } = await caller.call('/api/i/recovery-codes')
  caller.forget()
  await caller.call('/api/signin/recovery', { username, code: 'AAAA-AAAA-AAAA-AAAA' }, 401)
  await caller.call('/api/signin/recovery', { username, code: codes[0] })
  await caller.call('/api/i/name', { displayName: 'Ada Lovelace' })
  await caller.call('/api/i/username', { username: `${username}-2` })
  await caller.call('/api/i/password/remove')
  await caller.call('/api/i/password', { password: `${password} 2` })
  await caller.call('/api/i/signout-everywhere', { exceptThis: true })
  await caller.call('/api/signout')
}

/** @param {Caller} caller @param {InstanceType<typeof Authenticator>} authenticator @param {string} username */
async function exercisePasskeyAccount(caller, authenticator, username) {
  caller.forget()
  const options = await caller.call('/api/auth/register/options', { username })
  await caller.call('/api/auth/register/verify', authenticator.create(options))
  await caller.call('/api/i/delete')
}
