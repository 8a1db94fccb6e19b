import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'playwright/test'
import { enqueueSessionLogouts, hasEndedOfAccount, hasEndedOfRoots } from '@/lib/auth/sessions/reached-apps'
import { type Database, database, transaction } from '@/lib/database/client'
import type { Fragment } from '@/lib/database/sql'
import { start } from '@/lib/lifecycle'

test.beforeAll(() => start())

test('the end of one of several sessions that reached an app is reported to it, and no other', async () => {
  const db = await database()
  const userId = randomBytes(8).toString('hex')
  const expiresAt = BigInt(Date.now() + 86_400_000)
  await db.user.create({ data: { id: userId, username: userId, usernameKey: userId } })
  const backChannelUri = 'https://app.example/logout'
  await db.app.create({ data: { id: userId, name: userId, redirectUris: '', backChannelUri } })
  const ids = Array.from({ length: 10 }, (_, n) => `${userId}/${n}`)
  const common = { userId, expiresAt }
  await db.session.createMany({ data: ids.map((id) => ({ ...common, id, epoch: 0, method: 'pwd', openedAt: 0n })) })
  await db.appSession.createMany({ data: ids.map((rootId) => ({ ...common, rootId, appId: userId })) })
  await db.consumedToken.create({ data: { id: `${userId}/7`, expiresAt } })
  const results = await transaction(db, enqueueSessionLogouts(db, hasEndedOfAccount(userId)))
  expect(results).toEqual({ logouts: 1, forgottenApps: 1 })
  const kept = await db.appSession.findMany({ where: { userId }, orderBy: { rootId: 'asc' } })
  expect(kept.map(({ rootId }) => rootId)).toEqual(ids.filter((id) => id !== `${userId}/7`))
})

type Step = { id: number; parent: number; detail: string }

/** SQLite's plans of the statements that report and forget what ended sessions have reached. */
async function plansOfLogouts(ended: Fragment) {
  const db = await database()
  const plans: Promise<Step[]>[] = []
  const $executeRaw = (texts: readonly string[], ...values: unknown[]) =>
    plans.push(db.$queryRawUnsafe(`EXPLAIN QUERY PLAN ${texts.join('?')}`, ...values))
  enqueueSessionLogouts({ $executeRaw } as unknown as Database, ended)
  return Promise.all(plans)
}

/** The subqueries that a step is part of, from the inside out. */
function subqueriesAround(plan: Step[], step: Step): string[] {
  const parent = plan.find(({ id }) => id === step.parent)
  if (!parent) return []
  return [...(/SUBQUERY/.test(parent.detail) ? [parent.detail] : []), ...subqueriesAround(plan, parent)]
}

test("apps that ended sessions reached are found by reading an account's sessions once, however many it has", async () => {
  const plans = await plansOfLogouts(hasEndedOfAccount('nobody'))
  expect(plans).toHaveLength(2)
  for (const plan of plans) {
    const readsSessions = plan.filter(({ detail }) => /^(SEARCH|SCAN) s\b/.test(detail))
    expect(readsSessions).toHaveLength(1)
    // A correlated one would run for each row of what they reached.
    for (const step of readsSessions)
      expect(subqueriesAround(plan, step)).toEqual([expect.stringMatching(/^LIST SUBQUERY/)])
  }
})

test('the end of one session reads that session alone, by its id and its root', async () => {
  const plans = await plansOfLogouts(hasEndedOfRoots('nowhere'))
  expect(plans).toHaveLength(2)
  for (const plan of plans) {
    const read = plan.flatMap(({ detail }) => /^(?:SEARCH|SCAN) [rs]\b.*?(\(.*\))?$/.exec(detail)?.[1] ?? [])
    expect(read.toSorted()).toEqual(['(id=?)', '(rootId=?)', '(rootId=?)'])
    expect(plan.filter(({ detail }) => /^SCAN [rsu]\b/.test(detail))).toEqual([])
  }
})
