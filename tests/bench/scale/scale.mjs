import { copyTemplate, createTemplate } from '../accounts.mjs'
import { expireSome } from '../fill.mjs'
import { interleaved, mapValues } from '../interleave.mjs'
import { rateOf, requestsOf, sendPasskeys, warmUp } from '../loads.mjs'
import { expired, sizes } from '../options.mjs'
import { power, Report } from '../report.mjs'
import { openSql } from '../sql.mjs'
import { embedded, networked } from './deployments.mjs'
import { exercise } from './exercise.mjs'
import { sweep } from './sweep.mjs'

/** @typedef {import('./deployments.mjs').Deployment} Deployment */
/** @typedef {{ name: string, rates: Record<string, number[]> }} Found by size, the smallest first */
/** @typedef {{ size: number, databaseUrl: string, population: import('../loads.mjs').Population }} Stocked */
/** @typedef {{ deployment: Deployment, stocked: Stocked[], offenders: string[] }} Prepared */

const kinds = {
  check: 'session checks',
  options: 'passkey options',
  signIn: 'password sign-ins',
  signUp: 'sign-ups',
  passkey: 'passkey sign-ins',
}

/** Compares how the product runs by the number of its accounts. */
export async function bench() {
  const report = new Report('bench-scale')
  const deployments = [await embedded(), await networked()].filter((deployment) => deployment !== null)
  if (deployments.length === 1) console.log('Skipped: PostgreSQL and Redis, which this machine does not have.')
  // Side by side, since nothing is measured yet.
  const prepared = await Promise.all(deployments.map((deployment) => prepare(report, deployment)))
  /** @type {Found[]} */
  const found = []
  for (const one of prepared) {
    addPlans(report, one)
    found.push(await measure(report, one))
    await one.deployment.stop()
  }
  report.finish('scale', { sizes, found })
}

/**
 * Fills a database for each size, and asks how the largest is read.
 *
 * @param {Report} report
 * @param {Deployment} deployment
 * @returns {Promise<Prepared>}
 */
async function prepare(report, deployment) {
  /** @type {Stocked[]} */
  const stocked = []
  for (const size of sizes) {
    const databaseUrl = deployment.createDatabase()
    const product = await deployment.launch(databaseUrl)
    const population = await createTemplate(product)
    await product.stop()
    await copyTemplate(databaseUrl, size)
    stocked.push({ size, databaseUrl, population })
    report.progress(`${deployment.name}: ${power(size)} accounts`)
  }
  const { databaseUrl } = /** @type {Stocked} */ (stocked.at(-1))
  const sql = await openSql(databaseUrl)
  await expireSome(sql)
  await sql.close()
  const offenders = await deployment.offenders(databaseUrl, exercise)
  report.progress(`${deployment.name}: plans`)
  return { deployment, stocked, offenders }
}

/** @param {Report} report @param {Prepared} prepared */
function addPlans(report, { deployment, offenders }) {
  for (const statement of offenders)
    console.log(`       reads a table from end to end: ${statement.replaceAll(/\s+/g, ' ')}`)
  report.add({
    what: `${deployment.name}: statements that read a table from end to end, ${power(sizes.at(-1))} accounts`,
    against: 'nothing',
    ratio: offenders.length,
    unit: ' statements',
    goal: 0,
    better: 'at most',
    found: 'the plans of every statement of every endpoint',
  })
}

/** @param {Report} report @param {Prepared} prepared @returns {Promise<Found>} */
async function measure(report, { deployment, stocked }) {
  const { name } = deployment
  const start = await interleaved(byName(stocked, ({ databaseUrl }) => measureOnce(deployment, databaseUrl)))
  const rates = await ratesOf(deployment, stocked)
  const [smallest, ...others] = stocked.map(({ size }) => String(size))
  const compare = (/** @type {string} */ what, /** @type {Record<string, number>} */ by, /** @type {Goal} */ goal) => {
    for (const size of others) {
      const figures = /** @type {[number, number]} */ ([by[size], by[smallest ?? '']])
      report.compare(`${name}: ${what} with ${power(Number(size))} accounts`, power(sizes[0]), figures, goal)
    }
  }
  for (const [kind, found] of Object.entries(rates)) {
    compare(`${kinds[/** @type {Kind} */ (kind)]} a second`, found, { of: '/s', better: 'at least', goal: 0.9 })
  }
  compare('start', start, { of: ' ms', better: 'at most', goal: 1.2 })
  if (expired > 0) await sweep(report, deployment, /** @type {Stocked} */ (stocked.at(-1)).databaseUrl, expired)
  report.progress(`${name}: done`)
  const inOrder = (/** @type {Record<string, number>} */ by) => sizes.map((size) => by[size] ?? Number.NaN)
  return { name, rates: mapValues(rates, inOrder) }
}

/** @typedef {import('../report.mjs').Goal & { of: string }} Goal */
/** @typedef {keyof typeof kinds} Kind */

/**
 * @template T
 * @param {Stocked[]} stocked
 * @param {(stocked: Stocked) => T} map
 * @returns {Record<string, T>} by size
 */
const byName = (stocked, map) => Object.fromEntries(stocked.map((one) => [one.size, map(one)]))

/** Measures milliseconds until one instance answers. @param {Deployment} deployment @param {string} databaseUrl */
const measureOnce = (deployment, databaseUrl) => async () => {
  const { startMilliseconds, stop } = await deployment.launch(databaseUrl)
  await stop()
  return startMilliseconds
}

/**
 * Rates by kind and size. All sizes run side by side, and those that are not measured do nothing.
 *
 * @param {Deployment} deployment
 * @param {Stocked[]} stocked
 */
async function ratesOf(deployment, stocked) {
  /** @type {Record<string, { server: import('../servers.mjs').Product, requests: import('../loads.mjs').Kinds }>} */
  const running = {}
  for (const { size, databaseUrl, population } of stocked) {
    const server = await deployment.start(databaseUrl)
    const requests = await requestsOf(server, population, size)
    // The kernel may have dropped what the requests read from memory since it was written.
    await warmUp(server, requests.check)
    running[size] = { server, requests }
  }
  /** @type {(measured: (one: typeof running[string]) => () => Promise<number>) => Promise<Record<string, number>>} */
  const rates = (measured) => interleaved(mapValues(running, measured))
  const found = {
    check: await rates(({ server, requests }) => rateOf(server, requests.check, 2)),
    options: await rates(({ server, requests }) => rateOf(server, requests.optionsEach, 2)),
    signIn: await rates(({ server, requests }) => rateOf(server, requests.signIn)),
    signUp: await rates(({ server, requests }) => rateOf(server, requests.signUp)),
    passkey: await rates(({ server, requests }) => async () => {
      const sendAll = await sendPasskeys(server, requests, 400)
      return (await sendAll()).rate
    }),
  }
  for (const { server } of Object.values(running)) await server.stop()
  return found
}
