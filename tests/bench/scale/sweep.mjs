import { bearer, sessionTokens } from '../accounts.mjs'
import { idIn, series } from '../fill.mjs'
import { median } from '../interleave.mjs'
import { send } from '../loads.mjs'
import { power, short } from '../report.mjs'
import { openSql } from '../sql.mjs'

/** In which a million rows must be gone. */
const longestMilliseconds = 30 * 60_000
const expiry = 1_000

/**
 * Writes rows that have expired, starts the product and probes a session check until it has removed them.
 *
 * @param {import('../report.mjs').Report} report
 * @param {import('./deployments.mjs').Deployment} deployment
 * @param {string} databaseUrl
 * @param {number} count
 */
export async function sweep(report, deployment, databaseUrl, count) {
  const sql = await openSql(databaseUrl)
  await sql.run(`INSERT INTO "ConsumedToken" ("id", "expiresAt")
    SELECT 'e' || ${idIn(sql.dialect)}, ${expiry} FROM ${series(sql.dialect, count)}`)
  const expired = `FROM "ConsumedToken" WHERE "expiresAt" = ${expiry}`
  const remain = async () => (await sql.rows(`SELECT 1 ${expired} LIMIT 1`)).length > 0
  const product = await deployment.start(databaseUrl)
  const [token = ''] = await sessionTokens(product, [1])
  const probe = { path: '/api/i', headers: bearer(token), connections: 1, pauseMilliseconds: 3 }
  const p99 = async () => (await send(product, probe, 5)).p99
  await p99()
  // The first sweep is a minute after the start.
  const idle = median([await p99(), await p99(), await p99()])
  const isUntouched = async () => Number((await sql.rows(`SELECT count(*) AS n ${expired}`))[0]?.n) === count
  /** @type {number[]} */
  const windows = []
  const deadline = Date.now() + longestMilliseconds
  let start = Date.now()
  do {
    start = Date.now()
    windows[0] = await p99()
  } while ((await isUntouched()) && Date.now() < deadline)
  while ((await remain()) && Date.now() < deadline) windows.push(await p99())
  const isDone = !(await remain())
  const seconds = short((Date.now() - start) / 1000)
  await product.stop()
  await sql.close()
  const busy = median(windows)
  report.add({
    what: `${deployment.name}: p99 of a session check while ${power(count)} expired rows are swept`,
    against: 'before',
    ratio: isDone ? busy / idle : Number.POSITIVE_INFINITY,
    goal: 1.5,
    better: 'at most',
    found: `${short(busy)} ms, ${short(idle)} ms, worst five seconds ${short(Math.max(...windows))} ms; ${isDone ? 'gone' : 'not gone'} after ${seconds} s`,
  })
}
