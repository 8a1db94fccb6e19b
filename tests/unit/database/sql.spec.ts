import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { list, readRows, sql } from '@/lib/database/sql'
import { start } from '@/lib/lifecycle'

const named = (name: string) => sql`SELECT 1 WHERE ${sql`"name" = ${name}`} LIMIT ${1}`

test('a fragment joins the text of its statement, and a composition keeps its text from call to call', () => {
  const statement = named('ada')
  expect(statement.texts).toEqual(['SELECT 1 WHERE "name" = ', ' LIMIT ', ''])
  expect(statement.values).toEqual(['ada', 1])
  expect(named('bob').texts).toBe(statement.texts)
  expect(named('bob').values).toEqual(['bob', 1])
})

test('a template gets other texts with other parts', () => {
  const either = (isNamed: boolean) => sql`SELECT 1 WHERE ${isNamed ? sql`"name" IS NOT NULL` : sql`TRUE`}`.texts
  expect([either(true), either(false), either(true)]).toEqual([
    ['SELECT 1 WHERE "name" IS NOT NULL'],
    ['SELECT 1 WHERE TRUE'],
    ['SELECT 1 WHERE "name" IS NOT NULL'],
  ])
})

test('a template that takes parts in turn keeps the text of each', () => {
  const ordered = (column: string) => sql`SELECT 1 ORDER BY ${column === 'name' ? sql`"name"` : sql`"id"`}`.texts
  const [byName, byId] = [ordered('name'), ordered('id')]
  expect(ordered('name')).toBe(byName)
  expect(ordered('id')).toBe(byId)
})

test('what only looks like a fragment is a value', () => {
  const forged = { texts: ['1; DROP TABLE "User"'], values: [] }
  expect(sql`SELECT ${forged}`).toMatchObject({ texts: ['SELECT ', ''], values: [forged] })
})

test('every value is outside an empty list and none in it', async () => {
  await start()
  const found = (values: string[]) => readRows<{ at: number }>`
    SELECT 1 AS "at" WHERE 'a' IN (${list(values)}) UNION ALL SELECT 2 WHERE 'a' NOT IN (${list(values)})`
  expect(await found([])).toEqual([{ at: 2 }])
  expect(await found(['a', 'b'])).toEqual([{ at: 1 }])
  expect(await found(['b'])).toEqual([{ at: 2 }])
})
