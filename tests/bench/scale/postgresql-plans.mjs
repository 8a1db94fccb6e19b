import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSql } from '../sql.mjs'
import { found, isExempt, isOfOperators, planted } from './plans.mjs'

/** @typedef {import('../servers.mjs').Product} Product */

/**
 * The statements that the product runs during an exercise and that read a table from end to end.
 *
 * @param {string} logs folder, where PostgreSQL writes JSON
 * @param {string} databaseUrl
 * @param {() => Promise<Product>} launch
 * @param {(product: Product) => Promise<void>} exercise
 */
export async function postgresqlOffenders(logs, databaseUrl, launch, exercise) {
  const sql = await openSql(databaseUrl)
  const name = new URL(databaseUrl).pathname.slice(1)
  // For new connections: the plan of each statement, those of foreign keys included, as it ran.
  await sql.run(`ALTER DATABASE ${name} SET session_preload_libraries = 'auto_explain';
    ALTER DATABASE ${name} SET auto_explain.log_min_duration = 0;
    ALTER DATABASE ${name} SET auto_explain.log_nested_statements = on;
    ALTER DATABASE ${name} SET auto_explain.log_format = 'json'`)
  const watched = await openSql(databaseUrl)
  await watched.run(planted)
  await watched.close()
  const product = await launch()
  await exercise(product)
  await product.stop()
  await sql.run(`ALTER DATABASE ${name} RESET ALL`)
  await sql.close()
  const plans = plansIn(logs)
  console.log(`       ${plans.length} plans of ${new Set(plans.map((plan) => plan['Query Text'])).size} statements`)
  const scanning = plans.filter(({ Plan }) => scans(Plan))
  return found(scanning.map((plan) => String(plan['Query Text'])).filter((statement) => !isExempt(statement)))
}

/**
 * @typedef {{ 'Node Type': string, 'Index Cond'?: string, 'Relation Name'?: string, Plans?: Node[] }} Node
 *
 * @param {Node} node
 * @returns {boolean} whether it reads a table or an index from end to end
 */
const scans = ({ 'Node Type': type, 'Index Cond': condition, 'Relation Name': table, Plans = [] }) => {
  const readsAll = type === 'Seq Scan' || (/^Index (Only )?Scan$/.test(type) && condition === undefined)
  return (readsAll && !isOfOperators(table)) || Plans.some(scans)
}

/** @param {string} logs */
function plansIn(logs) {
  const lines = readdirSync(logs)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => readFileSync(join(logs, file), 'utf8').split('\n').filter(Boolean))
  return lines.flatMap((line) => {
    const [, plan] = /plan:\n(.*)/s.exec(JSON.parse(line).message ?? '') ?? []
    return plan === undefined ? [] : [JSON.parse(plan)]
  })
}
