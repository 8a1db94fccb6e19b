import { bearer, sessionTokens } from './accounts.mjs'
import { hexOf, series } from './fill.mjs'
import { median } from './interleave.mjs'
import { only, put } from './servers.mjs'
import { openSql } from './sql.mjs'

/** @typedef {import('./deployments.mjs').Deployment} Deployment */

/** The product sweeps a hundred rows at a time. */
const longestMilliseconds = 30 * 60_000
const expiry = 1_000

/**
 * Writes rows that have expired, starts the product and probes a session check until it has removed them.
 *
 * @param {Deployment} deployment
 * @param {string} databaseUrl
 * @param {number} count
 */
export async function sweep(deployment, databaseUrl, count) {
  const sql = await openSql(databaseUrl)
  await sql.run(`INSERT INTO "SpentToken" ("id", "expiresAt")
    SELECT 'e' || ${hexOf(sql.dialect)}, ${expiry} FROM ${series(sql.dialect, count)}`)
  const running = await deployment.start(databaseUrl)
  const [token = ''] = await sessionTokens(running, [1])
  const probe = { port: running.port, path: '/api/i', headers: bearer(token), connections: 1, pauseMilliseconds: 3 }
  const p99 = async () => only(await put({ ...probe, seconds: 10 })).p99
  const remain = async () =>
    (await sql.rows(`SELECT 1 FROM "SpentToken" WHERE "expiresAt" = ${expiry} LIMIT 1`)).length > 0
  await p99()
  // The first sweep is a minute after the start.
  const idle = median([await p99(), await p99(), await p99()])
  const start = Date.now()
  /** @type {number[]} */
  const windows = []
  while ((await remain()) && Date.now() - start < longestMilliseconds) windows.push(await p99())
  const done = !(await remain())
  await running.stop()
  await sql.close()
  return { idle, busy: median(windows), worst: Math.max(...windows), seconds: (Date.now() - start) / 1000, done }
}
