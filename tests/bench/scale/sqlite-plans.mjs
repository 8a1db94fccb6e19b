import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from '../servers.mjs'
import { openSql } from '../sql.mjs'
import { found, isExempt, isOfOperators, planted } from './plans.mjs'

/** @typedef {import('../servers.mjs').Product} Product */

/**
 * The statements that the product prepares during an exercise and that read a table from end to end.
 *
 * @param {string} databaseUrl
 * @param {(settings: Record<string, string>) => Promise<Product>} launch
 * @param {(product: Product) => Promise<void>} exercise
 */
export async function sqliteOffenders(databaseUrl, launch, exercise) {
  const file = join(folder, 'statements.jsonl')
  writeFileSync(file, '')
  const hook = new URL('./record-statements.mjs', import.meta.url).href
  const product = await launch({ NODE_OPTIONS: `--import=${hook}`, STATEMENTS_FILE: file })
  await exercise(product)
  await product.stop()
  const lines = new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))
  const statements = [...lines]
    .map((line) => String(JSON.parse(line)))
    .filter((statement) => readsRows.test(statement) && !isExempt(statement))
  if (statements.length === 0) throw new Error('No statement was recorded.')
  console.log(`       plans of ${statements.length} statements`)
  const sql = await openSql(databaseUrl)
  /** @type {string[]} */
  const scanning = []
  for (const statement of [...statements, planted]) {
    const plan = await sql.rows(`EXPLAIN QUERY PLAN ${statement}`)
    if (plan.some(({ detail }) => scans(statement, String(detail)))) scanning.push(statement)
  }
  await sql.close()
  return found(scanning)
}

const readsRows = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i

/** Tables in a statement, each with its alias if it has one. */
const tables = /\b(?:FROM|JOIN|UPDATE|INTO)\s+(?:[`"]main[`"]\.)?[`"](\w+)[`"](?:\s+(?:AS\s+)?[`"]?(\w+)[`"]?)?/g

/**
 * Whether a line of a plan says that a table is read from end to end. What a subquery has found may be.
 *
 * @param {string} statement
 * @param {string} detail
 */
function scans(statement, detail) {
  const [, scanned] = /^SCAN (\w+)/.exec(detail) ?? []
  const read = [...statement.matchAll(tables)].find(([, table, alias]) => scanned === table || scanned === alias)
  return scanned !== undefined && read !== undefined && !isOfOperators(read[1])
}
