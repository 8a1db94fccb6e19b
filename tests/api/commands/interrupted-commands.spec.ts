import { join } from 'node:path'
import { randomName } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { ndjson } from '../../support/operator/account-imports'
import { accountsWith } from '../../support/operator/accounts-command'
import { JWT_SECRET } from '../../support/secret'
import { logLines } from '../../support/server/server-log'
import { executeSql, readSql } from '../../support/storage/sql'

test('import, sign-out and restore that fail halfway have logged the accounts that they created or changed, and one that fails at once nothing', async () => {
  const DATABASE_URL = `file:${join(temporaryFolder('interrupted'), 'latchkey.db')}`
  const run = async (words: string[], input = '') => {
    const { code, stderr } = await accountsWith({ DATABASE_URL, JWT_SECRET }, words, input)
    expect(code, stderr).toBe(1)
    return logLines(stderr)
  }
  const failing = (when: string) =>
    executeSql(DATABASE_URL, `CREATE TRIGGER "fail" ${when} BEGIN SELECT RAISE(ABORT, 'planted'); END`)
  expect((await accountsWith({ DATABASE_URL, JWT_SECRET }, ['list'])).code).toBe(0)

  // Fifty accounts are the first batch of a command for all, and the row of the last cannot be written.
  const last = { username: randomName() }
  failing(`BEFORE INSERT ON "User" WHEN NEW."username" = '${last.username}'`)
  const rows = [...Array.from({ length: 50 }, () => ({ username: randomName() })), last]
  const line = { outcome: 'success', method: 'operator', account: null, count: 50 }
  expect(await run(['import', '-'], ndjson(rows))).toMatchObject([{ ...line, event: 'accounts_imported' }])
  expect(await run(['import', '-'], ndjson([last]))).toEqual([])

  executeSql(DATABASE_URL, 'DROP TRIGGER "fail"')
  expect((await accountsWith({ DATABASE_URL, JWT_SECRET }, ['import', '-'], ndjson([last]))).code).toBe(0)
  const [id] = readSql(DATABASE_URL, `SELECT MAX("id") FROM "User"`)
  failing(`BEFORE UPDATE ON "User" WHEN OLD."id" = '${id}'`)
  expect(await run(['sign-out', '--all', '--yes'])).toMatchObject([{ ...line, event: 'signed_out_everywhere' }])
  expect(await run(['restore'])).toMatchObject([{ ...line, event: 'backup_restored' }])
})
