import '../support/unit-environment'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { migrateSqlite } from '@/lib/database/migrate-sqlite'
import { sqliteAdapterFactory } from '@/lib/database/sqlite-adapter'
import { schemaDiff } from '@/scripts/schema-diff.mjs'

const ours = 'prisma/sqlite/migrations'

async function migrated(folder = ours) {
  const factory = sqliteAdapterFactory(join(mkdtempSync(join(tmpdir(), 'latchkey-migrations-')), 'a.db'))
  const connection = await factory.connect()
  await migrateSqlite(connection, folder)
  const query = async (sql: string) => (await connection.queryRaw({ sql, args: [], argTypes: [] })).rows
  return { connection, factory, query }
}

test('the migrations make exactly the database that the schema describes', async () => {
  const { factory } = await migrated()
  expect((await schemaDiff(factory, 'prisma/sqlite/schema.prisma')).trim()).toBe('-- This is an empty migration.')
})

test('a migration is applied once, and recorded as Prisma records it', async () => {
  const { connection, query } = await migrated()
  await migrateSqlite(connection, ours)
  const rows = await query(
    'SELECT "migration_name", length("checksum"), "applied_steps_count" FROM "_prisma_migrations"',
  )
  expect(rows).toEqual([
    ['20261121000000_init', 64, 1],
    ['20261121040000_account', 64, 1],
  ])
})

test('a migration that rebuilds User keeps its passkeys', async () => {
  const { connection, query } = await migrated()
  await connection.executeScript(`INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('u', 'joe', 'joe');
    INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp", "aaguid",
    "userVerified") VALUES ('p', 'u', 'Passkey', x'00', 0, '', 'singleDevice', 0, '', 1)`)
  const folder = withMigration(`CREATE TABLE "new_User" AS SELECT * FROM "User"; DROP TABLE "User";
    ALTER TABLE "new_User" RENAME TO "User"; CREATE UNIQUE INDEX "User_id" ON "User" ("id")`)
  await migrateSqlite(connection, folder)
  expect(await query('SELECT "userId" FROM "Passkey"')).toEqual([['u']])
  expect(await query('SELECT count(*) FROM "_prisma_migrations"')).toEqual([[3]])
})

test('a migration that fails, or leaves rows that refer to nothing, leaves no trace', async () => {
  const { connection, query } = await migrated()
  await connection.executeScript(`INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('u', 'joe', 'joe')`)
  const broken = withMigration(`DELETE FROM "User"; CREATE TABLE "User" ("id" TEXT)`)
  await expect(migrateSqlite(connection, broken)).rejects.toThrow()
  const dangling = withMigration(`INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports",
    "deviceType", "backedUp", "aaguid", "userVerified") VALUES ('p', 'nobody', '', x'00', 0, '', '', 0, '', 1)`)
  await expect(migrateSqlite(connection, dangling)).rejects.toThrow('refer to nothing')
  expect(await query('SELECT count(*) FROM "User"')).toEqual([[1]])
  expect(await query('SELECT count(*) FROM "_prisma_migrations"')).toEqual([[2]])
})

/** Our history with one more migration after it. */
function withMigration(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-history-'))
  cpSync(ours, folder, { recursive: true })
  mkdirSync(join(folder, '99991231000000_test'))
  writeFileSync(join(folder, '99991231000000_test', 'migration.sql'), script)
  return folder
}
