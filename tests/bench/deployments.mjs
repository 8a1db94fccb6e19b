// The two ways of running the product that are compared by size.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBalancer } from './balancer.mjs'
import { folder, freePort, startProduct } from './servers.mjs'
import { openSql, readsOneRow } from './sql.mjs'
import { findPostgres, findRedis, startPostgres, startRedis } from './support.mjs'

/** @typedef {import('./servers.mjs').Product} Product */

/**
 * @typedef {object} Deployment
 * @property {string} name
 * @property {() => string} createDatabase gives an empty one's DATABASE_URL
 * @property {(databaseUrl: string) => Promise<Running>} start it again on its data
 * @property {(databaseUrl: string, exercise: (product: Product) => Promise<void>) => Promise<string[]>} offenders
 *   statements of the exercise that read a table from end to end
 * @property {() => Promise<void>} stop
 *
 * @typedef {Product & { instances: Product[] }} Running its `port` is the balancer's, if there is one
 */

const cost = 10
/** The same after each start, since passkeys belong to it. */
const origin = { APP_ORIGIN: 'http://localhost' }

/** One instance on an embedded database. @returns {Promise<Deployment>} */
export async function embedded() {
  const { sqliteOffenders } = await import('./sqlite-plans.mjs')
  const secret = randomBytes(48).toString('base64')
  const launch = (/** @type {string} */ DATABASE_URL, /** @type {Record<string, string>} */ more = {}) =>
    startProduct(cost, { DATABASE_URL, JWT_SECRET: secret, ...origin, ...more })
  return {
    name: 'SQLite, one instance',
    createDatabase: () => `file:${join(folder, randomBytes(6).toString('hex'))}.db`,
    async start(databaseUrl) {
      const product = await launch(databaseUrl)
      return { ...product, instances: [product] }
    },
    offenders: (databaseUrl, exercise) => sqliteOffenders(databaseUrl, (more) => launch(databaseUrl, more), exercise),
    stop: async () => {},
  }
}

/** Two instances behind a balancer on PostgreSQL and Redis; null if this machine lacks these. @returns {Promise<Deployment | null>} */
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
    startProduct(cost, { DATABASE_URL, JWT_SECRET: secret, REDIS_URL: redis.url, ...origin })
  return {
    name: 'PostgreSQL and Redis, two instances',
    createDatabase: () => postgres.createDatabase(),
    async start(databaseUrl) {
      const port = await freePort()
      const first = await launch(databaseUrl)
      const second = await launch(databaseUrl)
      const balancer = await startBalancer(port, [first.port, second.port])
      const stop = async () => {
        await balancer.stop()
        for (const instance of [first, second]) await instance.stop()
      }
      return { ...first, port, stop, instances: [first, second] }
    },
    async offenders(databaseUrl, exercise) {
      const sql = await openSql(databaseUrl)
      const name = new URL(databaseUrl).pathname.slice(1)
      // For new connections: the plan of each statement, those of foreign keys included, as it ran.
      await sql.run(`ALTER DATABASE ${name} SET session_preload_libraries = 'auto_explain';
        ALTER DATABASE ${name} SET auto_explain.log_min_duration = 0;
        ALTER DATABASE ${name} SET auto_explain.log_nested_statements = on;
        ALTER DATABASE ${name} SET auto_explain.log_format = 'json'`)
      const product = await launch(databaseUrl)
      await exercise(product)
      await product.stop()
      await sql.run(`ALTER DATABASE ${name} RESET ALL`)
      await sql.close()
      return postgresOffenders(logs)
    },
    async stop() {
      await postgres.stop()
      await redis.kill('SIGKILL')
    },
  }
}

/** What runs at the start alone, about the migrations, and what stops at the first row. @param {string} statement */
const isExempt = (statement) => /pg_namespace|_prisma_migrations/.test(statement) || readsOneRow(statement)

/** @param {string} logs folder */
function postgresOffenders(logs) {
  const lines = readdirSync(logs)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n'))
  const plans = lines.flatMap((line) => {
    const [, plan] = /plan:\n(.*)/s.exec(line === '' ? '' : (JSON.parse(line).message ?? '')) ?? []
    return plan === undefined ? [] : [JSON.parse(plan)]
  })
  if (plans.length === 0) throw new Error('PostgreSQL logged no plan.')
  const scanning = plans.filter(
    (plan) => JSON.stringify(plan.Plan).includes('"Seq Scan"') && !isExempt(plan['Query Text']),
  )
  console.log(`       ${plans.length} plans of ${new Set(plans.map((plan) => plan['Query Text'])).size} statements`)
  return [...new Set(scanning.map((plan) => String(plan['Query Text'])))]
}
