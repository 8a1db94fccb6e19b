import { fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { quick } from './options.mjs'
import { freePort, killOnExit, root } from './support.mjs'

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {number} pid
 * @property {number} startMilliseconds from its entry to the first 200
 * @property {() => Promise<void>} stop
 *
 * @typedef {Server & { database: string, databaseUrl: string, secret: string, origin: string }} Product
 */

/** Removed at the end. */
export const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
// A signal would end this process without its exit handlers, and leave the servers running.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const generous = { RATE_LIMIT_LOGIN_MAX: '1000000', RATE_LIMIT_ADDRESS_MAX: '1000000' }

/**
 * Starts the built product behind what it takes for a proxy.
 *
 * @param {number} cost BCRYPT_COST
 * @param {Record<string, string>} [settings] DATABASE_URL is an empty embedded database unless given
 * @returns {Promise<Product>}
 */
export async function startProduct(cost, settings = {}) {
  const databaseUrl = settings.DATABASE_URL ?? `file:${join(folder, randomBytes(6).toString('hex'))}.db`
  const secret = settings.JWT_SECRET ?? randomBytes(48).toString('base64')
  const port = Number(settings.PORT ?? (await freePort()))
  const env = {
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    JWT_SECRET: secret,
    BCRYPT_COST: String(cost),
    TRUSTED_PROXIES: '1',
    ...generous,
    ...settings,
  }
  const server = await start({ cwd: root, words: ['build/server.mjs'], path: '/api/health', port, settings: env })
  const origin = settings.APP_ORIGIN ?? `http://localhost:${port}`
  return { ...server, database: databaseUrl.replace(/^file:/, ''), databaseUrl, secret, origin }
}

/**
 * Starts a server of Node and waits until it answers with 200.
 *
 * @param {object} how
 * @param {string} how.cwd
 * @param {string[]} how.words after `node`
 * @param {string} how.path that it answers
 * @param {number} how.port
 * @param {Record<string, string>} [how.settings]
 * @returns {Promise<Server>}
 */
export async function start({ cwd, words, path, port, settings = {} }) {
  const env = environment({ HOST: '127.0.0.1', ...settings })
  const entered = performance.now()
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  killOnExit(child)
  while (!(await answers(port, path))) {
    if (child.exitCode !== null || performance.now() - entered > 120_000) throw new Error('The server does not answer.')
    await pause(10)
  }
  const startMilliseconds = performance.now() - entered
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server ended by itself.')
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
  }
  return { port, pid: /** @type {number} */ (child.pid), startMilliseconds, stop }
}

/** @param {number} port @param {string} path */
async function answers(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
  await response?.arrayBuffer()
  return response?.status === 200
}

/** Only these settings, none of the caller's. @param {Record<string, string>} more */
export const environment = (more) => {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NODE_ENV: /** @type {const} */ ('production'), NEXT_TELEMETRY_DISABLED: '1', ...more }
}

/**
 * Runs a load generator in a process of its own.
 *
 * @param {import('./load.mjs').Load} load
 * @returns {Promise<import('./load.mjs').Result>}
 */
export async function put(load) {
  const child = fork(join(import.meta.dirname, 'load.mjs'), { execArgv: [] })
  killOnExit(child)
  child.send({ ...load, seconds: quick && load.most === undefined ? load.seconds / 8 : load.seconds })
  // Unlike `exit`, it comes after the last message.
  const closed = once(child, 'close').then(([code, signal]) => {
    throw new Error(`The load generator ended with ${code ?? signal}.`)
  })
  const [result] = await Promise.race([once(child, 'message'), closed])
  return result
}

/**
 * Leaves other answers than the expected ones out of the rate, and says so.
 *
 * @param {import('./load.mjs').Result} result
 * @param {string} [status]
 */
export function only(result, status = '200') {
  const { [status]: expected = 0, ...others } = result.statuses
  if (expected === 0) throw new Error(`no answer with ${status}: ${JSON.stringify(others)}`)
  if (Object.keys(others).length > 0)
    console.log(`       beside ${expected} times ${status}: ${JSON.stringify(others)}`)
  return { ...result, rate: (result.rate * expected) / result.count }
}
