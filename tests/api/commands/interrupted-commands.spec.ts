import { randomName } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'
import { accounts } from '../../support/operator/accounts-command'
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
