import '../../support/unit/environment'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { applyMigrations, schemaState } from '@/lib/database/migrations'
import { sqliteAdapterFactory } from '@/lib/database/sqlite/adapter'
import { sqliteMigrations } from '@/lib/database/sqlite/dialect'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { schemaDiff } from '../../support/storage/schema-diff.mjs'

const migrations = 'prisma/sqlite/migrations'
const names = readdirSync(migrations).filter((name) => /^\d/.test(name))

async function migrated(folder = migrations) {
  const factory = sqliteAdapterFactory(join(temporaryFolder('migrations'), 'a.db'))
  const connection = await factory.connect()
  await applyMigrations(sqliteMigrations, connection, folder)
  const query = async (sql: string) => (await connection.queryRaw({ sql, args: [], argTypes: [] })).rows
  return { connection, factory, query }
}

test('the SQLite migrations create exactly the database that the schema describes', async () => {
  const { factory } = await migrated()
  const withShadow = { ...factory, connectToShadowDb: () => sqliteAdapterFactory(':memory:').connect() }
  expect((await schemaDiff(withShadow, 'sqlite')).trim()).toBe('-- This is an empty migration.')
})

test('reading the state of the schema over a lost connection reports that, not the rollback that fails with it', async () => {
  const { connection } = await migrated()
  const lost = async () => Promise.reject(new Error('connection lost'))
  const begin = async () => ({
    ...(await sqliteMigrations.begin(connection)),
    query: lost,
    rollback: async () => Promise.reject(new Error('no transaction')),
  })
  await expect(schemaState({ ...sqliteMigrations, begin }, connection, migrations)).rejects.toThrow('connection lost')
})

test('a SQLite migration is applied once and recorded as Prisma records it', async () => {
  const { connection, query } = await migrated()
  await applyMigrations(sqliteMigrations, connection, migrations)
  const rows = await query(
    'SELECT "migration_name", length("checksum"), "applied_steps_count" FROM "_prisma_migrations"',
  )
  expect(rows).toEqual(names.map((name) => [name, 64, 1]))
})

test('a SQLite migration that rebuilds User keeps its passkeys', async () => {
  const { connection, query } = await migrated()
  await connection.executeScript(`INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('u', 'joe', 'joe');
    INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports", "deviceType", "backedUp", "aaguid",
    "userVerified") VALUES ('p', 'u', 'Passkey', x'00', 0, '', 'singleDevice', 0, '', 1)`)
  const folder = withMigration(`CREATE TABLE "new_User" AS SELECT * FROM "User"; DROP TABLE "User";
    ALTER TABLE "new_User" RENAME TO "User"; CREATE UNIQUE INDEX "User_id" ON "User" ("id")`)
  await applyMigrations(sqliteMigrations, connection, folder)
  expect(await query('SELECT "userId" FROM "Passkey"')).toEqual([['u']])
  expect(await query('SELECT count(*) FROM "_prisma_migrations"')).toEqual([[names.length + 1]])
})

test('a SQLite migration that fails or breaks a foreign key changes nothing', async () => {
  const { connection, query } = await migrated()
  await connection.executeScript(`INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('u', 'joe', 'joe')`)
  const broken = withMigration(`DELETE FROM "User"; CREATE TABLE "User" ("id" TEXT)`)
  await expect(applyMigrations(sqliteMigrations, connection, broken)).rejects.toThrow()
  const dangling = withMigration(`INSERT INTO "Passkey" ("id", "userId", "name", "publicKey", "counter", "transports",
    "deviceType", "backedUp", "aaguid", "userVerified") VALUES ('p', 'missing', '', x'00', 0, '', '', 0, '', 1)`)
  await expect(applyMigrations(sqliteMigrations, connection, dangling)).rejects.toThrow('breaks a foreign key')
  expect(await query('SELECT count(*) FROM "User"')).toEqual([[1]])
  expect(await query('SELECT count(*) FROM "_prisma_migrations"')).toEqual([[names.length]])
})

test('a SQLite database with a migration that this build does not know is rejected and left as it is', async () => {
  const { connection, query } = await migrated(withMigration('CREATE TABLE "Newer" ("id" TEXT)'))
  await expect(applyMigrations(sqliteMigrations, connection, migrations)).rejects.toThrow(
    /newer than this version of Latchkey.*99991231000000_test/,
  )
  expect(await query('SELECT count(*) FROM "_prisma_migrations"')).toEqual([[names.length + 1]])
})

test('a SQLite database in which a migration of Prisma has not finished is rejected until that is rolled back', async () => {
  const { connection, query } = await migrated()
  const folder = withMigration('CREATE TABLE "Newer" ("id" TEXT)')
  await connection.executeScript(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('1', '', '99991231000000_test')`,
  )
  await expect(applyMigrations(sqliteMigrations, connection, folder)).rejects.toThrow(
    /99991231000000_test .*has not finished.*migrate resolve/,
  )
  await connection.executeScript(`UPDATE "_prisma_migrations" SET "rolled_back_at" = 1 WHERE "id" = '1'`)
  await applyMigrations(sqliteMigrations, connection, folder)
  expect(await query('SELECT count(*) FROM "Newer"')).toEqual([[0]])
})

test('SQLite foreign keys are checked only when a migration is applied', async () => {
  const { connection } = await migrated()
  await connection.executeScript(`PRAGMA foreign_keys = OFF;
    INSERT INTO "RecoveryCode" ("hash", "userId") VALUES ('h', 'missing')`)
  await applyMigrations(sqliteMigrations, connection, migrations)
  const more = withMigration('CREATE TABLE "Newer" ("id" TEXT)')
  await expect(applyMigrations(sqliteMigrations, connection, more)).rejects.toThrow('breaks a foreign key')
})

/** A copy of the migrations with one more at the end. */
function withMigration(script: string): string {
  const folder = temporaryFolder('history')
  cpSync(migrations, folder, { recursive: true })
  mkdirSync(join(folder, '99991231000000_test'))
  writeFileSync(join(folder, '99991231000000_test', 'migration.sql'), script)
  return folder
}
