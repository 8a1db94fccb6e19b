import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { rows } from '@/lib/api/endpoints'
import { takesPreflight } from '@/lib/http/route'

test('the route file of each path that pages of other origins call with credentials answers its preflights, for where Next serves alone', () => {
  for (const row of rows) {
    const file = readFileSync(`app${row.path}/route.ts`, 'utf8')
    expect(file.includes(`export const OPTIONS = preflight('${row.path}')`), row.path).toBe(
      rows.some((other) => other.path === row.path && takesPreflight(other)),
    )
  }
})
