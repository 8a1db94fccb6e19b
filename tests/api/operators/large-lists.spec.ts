import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { executeSql } from '../../support/storage/sql'

/**
 * Accounts p000001 and so on, a second apart; every thousandth is disabled, every four thousandth is in `few`, all are in `all`.
 * The first 11,000 have passkeys and have come back. The purge of a slow run deletes none of it.
 */
function fill(server: Server, from: number, to: number): void {
  const isSqlite = server.databaseUrl.startsWith('file:')
  const name = isSqlite ? `printf('p%06d', i)` : `'p' || lpad(i::text, 6, '0')`
  const time = isSqlite
    ? `strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 1700000000 + i, 'unixepoch')`
    : `to_timestamp(1700000000 + i) AT TIME ZONE 'UTC'`
  const numbers = `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`
  executeSql(
    server.databaseUrl,
    `INSERT INTO "Group" ("name") VALUES ('all'), ('few') ON CONFLICT DO NOTHING;
    ${numbers} INSERT INTO "User" ("id", "username", "usernameKey", "createdAt", "disabled")
      SELECT 'id-' || ${name}, ${name}, ${name}, ${time}, i % 1000 = 0 FROM n;
    ${numbers} INSERT INTO "Identifier" ("key", "userId", "username") SELECT ${name}, 'id-' || ${name}, true FROM n;
    ${numbers} INSERT INTO "Membership" ("userId", "groupName") SELECT 'id-' || ${name}, 'all' FROM n;
    ${numbers} INSERT INTO "Membership" ("userId", "groupName") SELECT 'id-' || ${name}, 'few' FROM n WHERE i % 4000 = 0;
    ${numbers} INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp",
        "aaguid", "userVerified")
      SELECT 'k-' || ${name}, 'id-' || ${name}, 'Key', ${isSqlite ? "x''" : "''::bytea"}, 0, '', 'singleDevice', false, '', true
      FROM n WHERE i <= 11000;
    ${numbers} INSERT INTO "Event" ("id", "userId", "type", "at", "kind")
      SELECT 'e-' || ${name}, 'id-' || ${name}, 'signed_in', ${Date.now()}, 'sign_ins' FROM n WHERE i <= 11000;
    ${numbers} INSERT INTO "Session" ("id", "userId", "epoch", "method", "openedAt", "expiresAt", "lastActiveAt")
      SELECT 's-' || ${name}, 'id-' || ${name}, 0, 'pwd', 1700000000000, 4102444800000, 1700000000000 + 86400000 * (i % 2) - 1
      FROM n WHERE i > 11998;
    ANALYZE;`,
  )
}

test('among 12,000 accounts pages follow each other, newest first, and the exact username comes before all @storage', async ({
  start,
}) => {
  const server = await start()
  const { secret } = await accountsJson(server, 'key', 'add', 'reader', '--for', 'accounts', '--read-only')
  const client = new Client(server, { bearer: secret })
  const page = async (body: object): Promise<{ names: string[]; after: string | null }> => {
    const answer = await client.post('/api/admin/accounts', body)
    expect(answer.status, answer.text).toBe(200)
    const names = answer.body.accounts.map(({ username }: { username: string }) => username)
    return { names, after: answer.body.after }
  }
  /** All pages of a selection. */
  const all = async (selection: object) => {
    const names: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const next = await page({ ...selection, limit: 200, ...(after !== undefined && { after }) })
      names.push(...next.names)
      after = next.after
    }
    return names
  }
  fill(server, 1, 12_000)
  // Few matches come by the index of names, many by the walk from the newest on.
  expect((await page({ limit: 2 })).names).toEqual(['p012000', 'p011999'])
  expect((await page({ query: 'p', limit: 2 })).names).toEqual(['p012000', 'p011999'])
  expect((await page({ query: 'P00', limit: 2 })).names).toEqual(['p009999', 'p009998'])
  expect(await all({ query: 'p0000' })).toEqual(
    Array.from({ length: 99 }, (_, at) => `p0000${99 - at < 10 ? '0' : ''}${99 - at}`),
  )
  expect(await all({ query: 'p000' })).toHaveLength(999)
  expect((await page({ query: 'P000007' })).names).toEqual(['p000007'])
  expect((await page({ query: 'id-p000007' })).names).toEqual(['p000007'])
  for (const query of ['p00%', 'p_0', "p'", 'nobody']) expect((await page({ query })).names).toEqual([])
  expect(await all({ group: 'few' })).toEqual(['p012000', 'p008000', 'p004000'])
  expect((await page({ group: 'few', query: 'p01' })).names).toEqual(['p012000'])
  expect((await page({ group: 'all', query: 'p01', disabled: true, limit: 1 })).names).toEqual(['p012000'])
  expect(await all({ disabled: true })).toHaveLength(12)
  // What no index finds is asked of 10,000 accounts a page, and the next page goes on behind them.
  expect((await page({ hasPasskey: true })).names).toHaveLength(50)
  expect((await page({ hasPasskey: true, limit: 1 })).names).toEqual(['p011000'])
  expect(await all({ hasPasskey: false })).toHaveLength(1000)
  const rest = await page({ hasPasskey: false, query: 'p01' })
  expect(rest.names[0]).toBe('p012000')
  const none = await page({ hasPasskey: false, disabled: false, group: 'all', query: 'p00' })
  expect([none.names, none.after === null]).toEqual([[], true])
  executeSql(server.databaseUrl, `DELETE FROM "Passkey" WHERE "id" = 'k-p000003'`)
  expect((await all({ hasPasskey: false })).at(-1)).toBe('p000003')
  expect((await page({ hasPasskey: false, query: 'p000003' })).names).toEqual(['p000003'])
  expect((await page({ hasPasskey: true, query: 'p000003' })).names).toEqual([])
  // A sign-in counts, and a session that was used on a later day than its first.
  expect((await page({ cameBack: true, limit: 2 })).names).toEqual(['p011999', 'p011000'])
  expect(await all({ cameBack: false })).toHaveLength(999)
  // The exact one fills the first page, and is on no other.
  executeSql(server.databaseUrl, `UPDATE "User" SET "username" = 'p0', "usernameKey" = 'p0' WHERE "id" = 'id-p000001'`)
  const first = await page({ query: 'p0', limit: 1 })
  expect(first.names).toEqual(['p0'])
  expect((await page({ query: 'p0', limit: 2, after: first.after })).names).toEqual(['p012000', 'p011999'])
  // A cursor leads on in its own list only.
  const foreign = await client.post('/api/admin/accounts', { query: 'p1', after: first.after })
  expect([foreign.status, Object.keys(foreign.body.fields)]).toEqual([400, ['after']])
})
