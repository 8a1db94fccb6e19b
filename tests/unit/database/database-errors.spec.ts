import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { database } from '@/lib/database/client'
import { isConflict, isGone, isUnavailable } from '@/lib/database/errors'
import { start } from '@/lib/lifecycle'

test.beforeAll(() => start())

test('an error from elsewhere never counts as a database error, whatever its code', () => {
  const others = [
    Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
    Object.assign(new Error('aborted'), { code: 'ABORT_ERR', meta: null }),
    Object.assign(new Error('odd'), { code: 5 }),
    'text',
    null,
  ]
  for (const error of others)
    expect([isConflict(error), isGone(error), isUnavailable(error)]).toEqual([false, false, false])
})

test('a database error is recognized by its Prisma code and model', () => {
  const conflict = Object.assign(new Error('unique'), { code: 'P2002', meta: { modelName: 'Passkey' } })
  expect([isConflict(conflict), isConflict(conflict, 'Passkey'), isConflict(conflict, 'User')]).toEqual([
    true,
    true,
    false,
  ])
  expect(isGone(Object.assign(new Error('gone'), { code: 'P2025' }))).toBe(true)
})

test('a foreign key that a raw statement violated means that the row is gone', async () => {
  const db = await database()
  const dangling = db.$executeRaw`INSERT INTO "RecoveryCode" ("hash", "userId") VALUES ('a', 'nobody')`
  expect(isGone(await dangling.catch((error: unknown) => error))).toBe(true)
})
