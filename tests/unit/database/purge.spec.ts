import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { database } from '@/lib/database/client'
import { purge } from '@/lib/database/purge'
import { start } from '@/lib/lifecycle'

test.beforeAll(() => start())

test('purging removes all expired rows, however many, and no others', async () => {
  const db = await database()
  const prefix = randomBytes(8).toString('hex')
  const rows = (expiresAt: bigint) =>
    Array.from({ length: 1200 }, (_, n) => ({ id: `${prefix}${expiresAt}${n}`, expiresAt }))
  await db.consumedToken.createMany({ data: [...rows(1n), ...rows(9_999_999_999_999n)] })
  await purge()
  const left = await db.consumedToken.findMany({ where: { id: { startsWith: prefix } } })
  expect(left).toHaveLength(1200)
  expect(left.every(({ expiresAt }) => expiresAt > 1n)).toBe(true)
})

test('purging keeps the events of an account for ninety days', async () => {
  const db = await database()
  const prefix = randomBytes(8).toString('hex')
  const day = 86_400_000
  const user = await db.user.create({ data: { id: prefix, username: prefix, usernameKey: prefix } })
  const rows = (days: number) =>
    Array.from({ length: 600 }, (_, n) => ({
      id: `${prefix}/${days}/${n}`,
      userId: user.id,
      type: 'signed_in',
      at: BigInt(Math.round(Date.now() - days * day)),
    }))
  await db.event.createMany({ data: [...rows(91), ...rows(90.01), ...rows(89.99), ...rows(0)] })
  await purge()
  const left = await db.event.findMany({ where: { userId: user.id } })
  expect(new Set(left.map(({ id }) => id.split('/')[1]))).toEqual(new Set(['89.99', '0']))
  expect(left).toHaveLength(1200)
})

test('purging removes the records of expired sessions and no others', async () => {
  const db = await database()
  const userId = randomBytes(8).toString('hex')
  await db.user.create({ data: { id: userId, username: userId, usernameKey: userId } })
  const records = (expiresAt: number) =>
    Array.from({ length: 3 }, (_, n) => ({
      id: `${userId}/${expiresAt}/${n}`,
      userId,
      epoch: 0,
      method: 'pwd',
      openedAt: 0n,
      expiresAt: BigInt(expiresAt),
    }))
  const [past, future] = [Date.now() - 1000, Date.now() + 60_000]
  await db.session.createMany({ data: [...records(past), ...records(future)] })
  await purge()
  const left = await db.session.findMany({ where: { userId } })
  expect(left.map(({ expiresAt }) => Number(expiresAt))).toEqual([future, future, future])
})

test('purging keeps a signing key for 180 days after its last token, by which apps say whose session they mean', async () => {
  const db = await database()
  const prefix = randomBytes(8).toString('hex')
  const rows = [181, 179, 0].map((days, index) => ({
    kid: `${prefix}/${days}`,
    sequence: 1000 + index,
    publicKey: '{}',
    sealed: '',
    signsFrom: 0n,
    expiresAt: BigInt(Date.now() - days * 86_400_000),
  }))
  await db.signingKey.createMany({ data: rows })
  await purge()
  const left = await db.signingKey.findMany({ where: { kid: { startsWith: prefix } }, orderBy: { sequence: 'asc' } })
  expect(left.map(({ kid }) => kid.split('/')[1])).toEqual(['179', '0'])
})

test('a sweep that is stopped leaves rows, and two at once remove them all', async () => {
  const db = await database()
  const prefix = randomBytes(8).toString('hex')
  await db.$executeRaw`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    INSERT INTO "ConsumedToken" ("id", "expiresAt") SELECT ${prefix} || i, 1 FROM n`
  const left = () => db.consumedToken.count({ where: { id: { startsWith: prefix } } })
  const stopping = new AbortController()
  const stopped = purge(Date.now(), stopping.signal)
  // The oldest goes first, and a hundred thousand take many batches.
  const first = () => db.consumedToken.findUnique({ where: { id: `${prefix}1` } })
  await expect.poll(first, { intervals: [1] }).toBeNull()
  stopping.abort()
  await stopped
  expect(await left()).toBeGreaterThan(0)
  await Promise.all([purge(), purge()])
  expect(await left()).toBe(0)
})
