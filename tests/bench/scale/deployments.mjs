// The two ways of running the product that are compared by size.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { folder, startProduct } from '../servers.mjs'
import { findPostgres, findRedis, freePort, startPostgres, startRedis } from '../support.mjs'
import { startBalancer } from './balancer.mjs'
import { cronSecret } from './exercise-apps.mjs'
import { postgresqlOffenders } from './postgresql-plans.mjs'
import { sqliteOffenders } from './sqlite-plans.mjs'

/** @typedef {import('../servers.mjs').Product} Product */

/**
 * @typedef {object} Deployment
 * @property {string} name
 * @property {() => string} createDatabase gives an empty one's DATABASE_URL
 * @property {(databaseUrl: string) => Promise<Product>} launch one instance on its data
 * @property {(databaseUrl: string) => Promise<Product>} start all instances; the port is the balancer's, if there is one
 * @property {(databaseUrl: string, exercise: (product: Product) => Promise<void>) => Promise<string[]>} offenders
 *   statements of the exercise that read a table from end to end
 * @property {() => Promise<void>} stop
 */

const cost = 10
/** The origin is the same after each start, since passkeys belong to it. */
const settings = { APP_ORIGIN: 'http://localhost', CRON_SECRET: cronSecret }

/** One instance on an embedded database. @returns {Promise<Deployment>} */
export async function embedded() {
  const secret = randomBytes(48).toString('base64')
  const launch = (/** @type {string} */ DATABASE_URL, /** @type {Record<string, string>} */ more = {}) =>
    startProduct(cost, { DATABASE_URL, JWT_SECRET: secret, ...settings, ...more })
  return {
    name: 'SQLite, one instance',
    createDatabase: () => `file:${join(folder, randomBytes(6).toString('hex'))}.db`,
    launch: (databaseUrl) => launch(databaseUrl),
    start: (databaseUrl) => launch(databaseUrl),
    offenders: (databaseUrl, exercise) => sqliteOffenders(databaseUrl, (more) => launch(databaseUrl, more), exercise),
    stop: async () => {},
  }
}

/**
 * Two instances behind a balancer on PostgreSQL and Redis; null if this machine lacks these.
 *
 * @returns {Promise<Deployment | null>}
 */
export async function networked() {
  if (findPostgres() === null || findRedis() === null) return null
  const logs = join(folder, 'postgres-logs')
  mkdirSync(logs)
  // PostgreSQL does not run as root.
  chmodSync(folder, 0o711)
  chmodSync(logs, 0o777)
  const log = ['logging_collector=on', `log_directory=${logs}`, 'log_destination=jsonlog']
  // Half a gigabyte holds the rows of 10^6 accounts that are in use.
  const postgres = await startPostgres('fsync=on', 'shared_buffers=512MB', 'max_wal_size=4GB', ...log)
  const redis = await startRedis()
  const secret = randomBytes(48).toString('base64')
  const launch = (/** @type {string} */ DATABASE_URL) =>
    startProduct(cost, { DATABASE_URL, JWT_SECRET: secret, REDIS_URL: redis.url, ...settings })
  return {
    name: 'PostgreSQL and Redis, two instances',
    createDatabase: () => postgres.createDatabase(),
    launch,
    async start(databaseUrl) {
      const port = await freePort()
      const first = await launch(databaseUrl)
      const second = await launch(databaseUrl)
      const balancer = await startBalancer(port, [first.port, second.port])
      const stop = async () => {
        await balancer.stop()
        for (const instance of [first, second]) await instance.stop()
      }
      return { ...first, port, stop }
    },
    offenders: (databaseUrl, exercise) => postgresqlOffenders(logs, databaseUrl, () => launch(databaseUrl), exercise),
    async stop() {
      await postgres.stop()
      await redis.kill('SIGKILL')
    },
  }
}
