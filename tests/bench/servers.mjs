import { execFileSync, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../..')
const next = join(root, 'node_modules/next/dist/bin/next')
const folder = mkdtempSync(join(tmpdir(), 'latchkey-bench-'))
/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Starts the built product on an empty embedded database, behind what it takes for a proxy.
 *
 * @param {number} cost BCRYPT_COST
 * @param {Record<string, string>} [limits] rate limits; too generous to interfere unless given
 */
export async function startProduct(
  cost,
  limits = { RATE_LIMIT_LOGIN_MAX: '1000000', RATE_LIMIT_ADDRESS_MAX: '1000000' },
) {
  const database = join(folder, `${randomBytes(6).toString('hex')}.db`)
  const server = await start(root, ['build/server.mjs'], {
    DATABASE_URL: `file:${database}`,
    JWT_SECRET: randomBytes(48).toString('base64'),
    BCRYPT_COST: String(cost),
    TRUSTED_PROXIES: '1',
    ...limits,
  })
  return { ...server, database }
}

/** Builds and starts a Next application whose only route answers a constant, as a baseline. */
export async function startConstant() {
  const app = join(folder, 'constant')
  mkdirSync(join(app, 'app/c'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'))
  writeFileSync(join(app, 'package.json'), '{"private":true}')
  writeFileSync(join(app, 'app/c/route.js'), 'export const POST = () => Response.json({ ok: true })\n')
  // Turbopack follows no symbolic link out of its root.
  execFileSync(process.execPath, [next, 'build', '--webpack'], { cwd: app, stdio: 'pipe', env: environment({}) })
  const port = await freePort()
  return start(app, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {}, port)
}

/** @param {string} cwd @param {string[]} words @param {Record<string, string>} settings @param {number} [given] port */
async function start(cwd, words, settings, given) {
  const port = given ?? (await freePort())
  const env = environment({ PORT: String(port), HOST: '127.0.0.1', ...settings })
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.add(child)
  const deadline = Date.now() + 30_000
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error('The server does not answer.')
    await pause(50)
  }
  const stop = async () => {
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
    children.delete(child)
  }
  return { port, stop }
}

/** Only these settings, none of the caller's. @param {Record<string, string>} more */
const environment = (more) => {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NODE_ENV: /** @type {const} */ ('production'), NEXT_TELEMETRY_DISABLED: '1', ...more }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (probe.address())
  await new Promise((done) => probe.close(done))
  return port
}

/**
 * Runs a load generator in a process of its own.
 *
 * @param {import('./load.mjs').Load} load
 * @returns {Promise<import('./load.mjs').Result>}
 */
export async function put(load) {
  const child = fork(join(import.meta.dirname, 'load.mjs'))
  children.add(child)
  child.send(load)
  const [result] = await once(child, 'message')
  children.delete(child)
  return result
}
