import { randomName } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { importRows, ndjson } from '../../support/operator/account-imports'
import { accounts, accountsWith } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { executeSql, readSql } from '../../support/storage/sql'

/** Fifty accounts, the first batch of a command for all, and one whose row cannot be written. */
async function failAfterFirstBatch(server: Server) {
  const rows = Array.from({ length: 51 }, () => ({ username: randomName() }))
  const { answer } = await importRows(server, rows)
  expect(answer).toMatchObject({ created: 51 })
  const url = `file:${server.database}`
  const [last] = readSql(url, `SELECT MAX("id") FROM "User"`)
  executeSql(
    url,
    `CREATE TRIGGER "fail" BEFORE UPDATE ON "User" WHEN OLD."id" = '${last}' BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
}

test('accounts import that fails halfway has logged the accounts that it created, and one that fails at once nothing', async ({
  start,
}) => {
  const server = await start()
  const last = { username: randomName() }
  executeSql(
    `file:${server.database}`,
    `CREATE TRIGGER "fail" BEFORE INSERT ON "User" WHEN NEW."username" = '${last.username}'
      BEGIN SELECT RAISE(ABORT, 'planted'); END`,
  )
  const rows = [...Array.from({ length: 50 }, () => ({ username: randomName() })), last]
  const importing = (given: unknown[]) => accountsWith(settingsOf(server), ['import', '-'], ndjson(given))
  const halfway = await importing(rows)
  expect(halfway.code).toBe(1)
  const line = { event: 'accounts_imported', outcome: 'success', method: 'operator', count: 50 }
  expect(logLines(halfway.stderr)).toMatchObject([line])
  const atOnce = await importing([last])
  expect(atOnce.code).toBe(1)
  expect(logLines(atOnce.stderr)).toEqual([])
})

for (const { words, event } of [
  { words: ['sign-out', '--all', '--yes'], event: 'signed_out_everywhere' },
  { words: ['restore'], event: 'backup_restored' },
])
  test(`accounts ${words[0]} that fails halfway has logged the accounts that it changed`, async ({ start }) => {
    const server = await start()
    await failAfterFirstBatch(server)
    const { code, stderr } = await accounts(server, ...words)
    expect(code).toBe(1)
    expect(logLines(stderr)).toMatchObject([{ event, account: null, method: 'operator', count: 50 }])
  })
