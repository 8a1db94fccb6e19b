import { copyTemplate, createTemplate } from './accounts.mjs'
import { embedded, networked } from './deployments.mjs'
import { exercise } from './exercise.mjs'
import { interleaved } from './interleave.mjs'
import { passkeySignIns, rateOf, requestsOf } from './loads.mjs'
import { Report, short } from './report.mjs'
import { kinds, power, writeScale } from './scale-docs.mjs'
import { sweep } from './sweep.mjs'

/** @typedef {import('./deployments.mjs').Deployment} Deployment */
/** @typedef {import('./scale-docs.mjs').Found} Found */
/** @typedef {keyof typeof kinds} Kind */
/** @typedef {{ size: number, databaseUrl: string, population: import('./loads.mjs').Population }} Stocked */

/**
 * Compares how the product runs by the number of its accounts.
 *
 * @param {number[]} sizes ascending
 * @param {number} expired rows that the largest then sweeps
 */
export async function benchScale(sizes, expired) {
  const report = new Report('bench-scale')
  /** @type {Found[]} */
  const found = []
  for (const deploy of [embedded, networked]) {
    const deployment = await deploy()
    if (deployment === null) {
      console.log('Skipped: PostgreSQL and Redis, which this machine does not have.')
      continue
    }
    found.push(await benchDeployment(report, deployment, sizes, expired))
    await deployment.stop()
  }
  writeScale(sizes, found, report)
  report.finish({ sizes, found })
}

/** @param {Report} report @param {Deployment} deployment @param {number[]} sizes @param {number} expired */
async function benchDeployment(report, deployment, sizes, expired) {
  const { name } = deployment
  /** @type {Stocked[]} */
  const stocked = []
  for (const size of sizes) stocked.push(await stock(deployment, size))
  const start = await starts(deployment, stocked)
  const rates = await allRates(deployment, stocked)
  for (const [index, size] of sizes.entries()) {
    if (index === 0) continue
    for (const [kind, values] of Object.entries(rates)) {
      const what = `${name}: ${kinds[/** @type {Kind} */ (kind)]} a second with ${power(size)} accounts`
      addRatio(report, what, values, index, { goal: 0.9, better: 'at least' }, '/s')
    }
    addRatio(
      report,
      `${name}: start with ${power(size)} accounts`,
      start,
      index,
      { goal: 1.2, better: 'at most' },
      ' ms',
    )
  }
  const largest = /** @type {Stocked} */ (stocked.at(-1))
  await addPlans(report, deployment, largest)
  if (expired > 0) await addSweep(report, deployment, largest, expired)
  return { name, rates, start }
}

/** @param {Deployment} deployment @param {number} size @returns {Promise<Stocked>} */
async function stock(deployment, size) {
  const begun = performance.now()
  const databaseUrl = deployment.createDatabase()
  const running = await deployment.start(databaseUrl)
  const population = await createTemplate(running)
  await running.stop()
  await copyTemplate(databaseUrl, size)
  console.log(`       ${deployment.name}: ${size} accounts in ${short((performance.now() - begun) / 1000)} s`)
  return { size, databaseUrl, population }
}

/** Milliseconds of one instance, by size. @param {Deployment} deployment @param {Stocked[]} stocked */
async function starts(deployment, stocked) {
  const measurements = stocked.map(({ size, databaseUrl }) => {
    const measure = async () => {
      const running = await deployment.start(databaseUrl)
      await running.stop()
      return running.startMilliseconds
    }
    return /** @type {const} */ ([size, measure])
  })
  return inOrder(stocked, await interleaved(Object.fromEntries(measurements), 5))
}

/** Rates by kind and size. All sizes run side by side, and those that are not measured do nothing. @param {Deployment} deployment @param {Stocked[]} stocked */
async function allRates(deployment, stocked) {
  const running = []
  for (const { databaseUrl } of stocked) running.push(await deployment.start(databaseUrl))
  /** @type {Record<string, number[]>} */
  const rates = {}
  for (const kind of /** @type {Kind[]} */ (Object.keys(kinds))) {
    /** @type {Record<string, () => Promise<number>>} */
    const measurements = {}
    for (const [index, { size, population }] of stocked.entries()) {
      const product = /** @type {import('./deployments.mjs').Running} */ (running[index])
      measurements[size] =
        kind === 'passkey'
          ? async () => (await passkeySignIns(product, population, size)).rate
          : rateOf((await requestsOf(product, size))[kind])
    }
    rates[kind] = inOrder(stocked, await interleaved(measurements))
  }
  for (const product of running) await product.stop()
  return rates
}

/** @param {Stocked[]} stocked @param {Record<string, number>} found by size */
const inOrder = (stocked, found) => stocked.map(({ size }) => found[size] ?? Number.NaN)

/**
 * @param {Report} report
 * @param {string} what
 * @param {number[]} values
 * @param {number} index
 * @param {Pick<import('./report.mjs').Row, 'better'> & { goal: number }} goal
 * @param {string} unit
 */
function addRatio(report, what, values, index, goal, unit) {
  const [base = Number.NaN, value = Number.NaN] = [values[0], values[index]]
  const found = `${short(value)}${unit}, ${short(base)}${unit}`
  report.add({ what, against: 'the smallest', ratio: value / base, ...goal, found })
}

/** @param {Report} report @param {Deployment} deployment @param {Stocked} largest */
async function addPlans(report, deployment, { databaseUrl, size }) {
  const offenders = await deployment.offenders(databaseUrl, exercise)
  for (const statement of offenders)
    console.log(`       reads a table from end to end: ${statement.replaceAll(/\s+/g, ' ')}`)
  report.add({
    what: `${deployment.name}: statements that read a table from end to end, ${power(size)} accounts`,
    against: 'nothing',
    ratio: offenders.length,
    unit: ' statements',
    goal: 0,
    better: 'at most',
    found: 'the plans of every statement of every endpoint',
  })
}

/** @param {Report} report @param {Deployment} deployment @param {Stocked} largest @param {number} count */
async function addSweep(report, deployment, { databaseUrl }, count) {
  const { idle, busy, worst, seconds, done } = await sweep(deployment, databaseUrl, count)
  report.add({
    what: `${deployment.name}: p99 of a session check while ${power(count)} expired rows are swept`,
    against: 'before',
    ratio: done ? busy / idle : Number.POSITIVE_INFINITY,
    goal: 1.5,
    better: 'at most',
    found: `${short(busy)} ms, ${short(idle)} ms, worst ten seconds ${short(worst)} ms; ${done ? 'gone' : 'not gone'} after ${short(seconds)} s`,
  })
}
