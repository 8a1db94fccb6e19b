import './environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { database } from '@/lib/data/database'
import { start } from '@/lib/data/start'
import { sweep } from '@/lib/data/sweep'

test.beforeAll(() => start())

test('what has expired is swept away, however much there is, and nothing else', async () => {
  const client = await database()
  const prefix = randomBytes(8).toString('hex')
  const rows = (expiresAt: bigint) =>
    Array.from({ length: 1200 }, (_, n) => ({ id: `${prefix}${expiresAt}${n}`, expiresAt }))
  await client.spentToken.createMany({ data: [...rows(1n), ...rows(9_999_999_999_999n)] })
  await sweep()
  const left = await client.spentToken.findMany({ where: { id: { startsWith: prefix } } })
  expect(left).toHaveLength(1200)
  expect(left.every(({ expiresAt }) => expiresAt > 1n)).toBe(true)
})
