import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import type { EventPage } from '@/lib/api/schemas'
import { eventsOfAccount, notableEventsOfAccount } from '@/lib/auth/accounts/activity'
import { database } from '@/lib/database/client'
import { start } from '@/lib/lifecycle'

test.beforeAll(() => start())

interface Row {
  kind: string
  type: string
  at: number
  count?: number
  newBrowser?: boolean
  browser?: string
}

/** An account with these events. */
async function accountWith(rows: Row[]): Promise<string> {
  const db = await database()
  const id = randomBytes(16).toString('base64url')
  await db.user.create({ data: { id, username: id, usernameKey: id } })
  const data = rows.map((row) => ({
    ...row,
    id: randomBytes(16).toString('base64url'),
    userId: id,
    at: BigInt(row.at),
  }))
  await db.event.createMany({ data })
  return id
}

test('events of the same millisecond are listed exactly once, page by page', async () => {
  const at = Date.now()
  // The counts tell the rows apart.
  const rows = Array.from({ length: 120 }, (_, n) => ({
    ...(n % 3 ? { kind: 'sign_ins', type: 'signed_in' } : { kind: 'changes', type: 'passkey_added' }),
    at,
    count: n + 2,
  }))
  const userId = await accountWith(rows)
  const pages: EventPage[] = [await eventsOfAccount(userId)]
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next)
    pages.push(await eventsOfAccount(userId, { before: next }))
  expect(pages.map(({ events }) => events.length)).toEqual([50, 50, 20])
  const counts = pages.flatMap(({ events }) => events.map(({ count = 1 }) => count))
  expect(counts.sort((a, b) => a - b)).toEqual(rows.map(({ count }) => count))
})

test('hundreds of sign-ins and failures hide neither a change nor a sign-in from a new browser', async () => {
  const now = Date.now()
  const flood = (type: string, length: number) =>
    Array.from({ length }, (_, n) => ({ kind: 'sign_ins', type, at: now - n, count: 3 }))
  const userId = await accountWith([
    { kind: 'changes', type: 'passkey_added', at: now - 60_000 },
    { kind: 'sign_ins', type: 'signed_in', at: now - 50_000, newBrowser: true },
    ...flood('signed_in', 300),
    ...flood('signin_failed', 300),
  ])
  const { events, more } = await eventsOfAccount(userId, { kind: 'changes' })
  expect([events.map(({ type }) => type), more]).toEqual([['passkey_added'], false])
  const notable = await notableEventsOfAccount(userId)
  expect(notable.filter(({ type }) => type === 'signin_failed')).toHaveLength(50)
  expect(notable.slice(50)).toMatchObject([{ type: 'signed_in', newBrowser: true }, { type: 'passkey_added' }])
})
