import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from './servers.mjs'
import { openSql } from './sql.mjs'

/** @typedef {import('./servers.mjs').Product} Product */

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
  const statements = [...lines].map((line) => String(JSON.parse(line))).filter(readsRows)
  if (statements.length === 0) throw new Error('No statement was recorded.')
  console.log(`       plans of ${statements.length} statements`)
  const sql = await openSql(databaseUrl)
  /** @type {string[]} */
  const offenders = []
  for (const statement of statements) {
    const plan = await sql.rows(`EXPLAIN QUERY PLAN ${statement}`)
    if (plan.some(({ detail }) => scans(String(detail)))) offenders.push(statement)
  }
  await sql.close()
  return offenders
}

/** Not the migrations' own table, nor what is asked of the schema. @param {string} statement */
const readsRows = (statement) =>
  /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(statement) &&
  !/_prisma_migrations|sqlite_(master|schema)/.test(statement)

/** A row that is no table's, or one that the statement has already found, may be read as it is. @param {string} detail */
const scans = (detail) => /^SCAN (?!CONSTANT ROW|\(subquery|json_each)/.test(detail)
