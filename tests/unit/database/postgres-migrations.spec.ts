import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { expect, test } from 'playwright/test'
import { applyMigrations, schemaState } from '@/lib/database/migrations'
import { postgresMigrations } from '@/lib/database/postgresql/dialect'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { type Postgres, startPostgres } from '../../support/storage/postgres'
import { dumpPostgres } from '../../support/storage/postgres-programs'
import { schemaDiff } from '../../support/storage/schema-diff.mjs'

const migrations = 'prisma/postgresql/migrations'
const names = readdirSync(migrations).filter((name) => /^\d/.test(name))
let postgres: Postgres

needs('PostgreSQL')
test.beforeAll(async () => {
  postgres = await startPostgres()
})
test.afterAll(() => postgres?.stop())

async function migrate(url: string) {
  const connection = await new PrismaPg({ connectionString: url }).connect()
  await applyMigrations(postgresMigrations, connection, migrations)
  const { rows } = await connection.queryRaw({
    sql: 'SELECT count(*)::int FROM "_prisma_migrations"',
    args: [],
    argTypes: [],
  })
  await connection.dispose()
  return rows[0]?.[0]
}

/** The schema as SQL, without Prisma's history table and the random tokens of a dump. */
const dump = (url: string) =>
  dumpPostgres(url, '--schema-only', '--exclude-table=_prisma_migrations').replace(/^\\(un)?restrict .*$/gm, '')

test('the PostgreSQL migrations create exactly the database that the schema describes', async () => {
  const [byHistory, bySchema] = [postgres.createDatabase(), postgres.createDatabase()]
  await migrate(byHistory)
  const factory = new PrismaPg({ connectionString: bySchema })
  const script = await schemaDiff(factory, 'postgresql', 'nothing')
  const connection = await factory.connect()
  await connection.executeScript(script)
  await connection.dispose()
  expect(dump(byHistory)).toContain('CREATE TABLE public."User"')
  // Prisma's schema language has no collations. Keys are searched by their beginning, which takes the order of code points.
  expect(dump(byHistory).replaceAll(' COLLATE pg_catalog."C"', '')).toBe(dump(bySchema))
})

test('instances that migrate an empty PostgreSQL database at once apply each migration once', async () => {
  const url = postgres.createDatabase()
  const counts = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(counts).toEqual(Array(4).fill(names.length))
})

test('a PostgreSQL migration may take longer than a query for a request', async () => {
  const folder = temporaryFolder('migrations')
  mkdirSync(join(folder, '20260101000000_slow'))
  writeFileSync(
    join(folder, '20260101000000_slow/migration.sql'),
    'SELECT pg_sleep(3); CREATE TABLE "Slow" ("id" TEXT)',
  )
  const connection = await postgresMigrations.connect(postgres.createDatabase())
  await applyMigrations(postgresMigrations, connection, folder)
  expect(await schemaState(postgresMigrations, connection, folder)).toBe('current')
  await connection.dispose()
})

test('a PostgreSQL database with a migration that this build does not know is rejected', async () => {
  const url = postgres.createDatabase()
  await migrate(url)
  const connection = await new PrismaPg({ connectionString: url }).connect()
  await connection.executeScript(
    `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('1', '', '99991231000000_newer')`,
  )
  await connection.dispose()
  await expect(migrate(url)).rejects.toThrow(/newer than this version of Latchkey.*99991231000000_newer/)
})

test('a PostgreSQL database in which a migration of Prisma has not finished is rejected until that is rolled back', async () => {
  const url = postgres.createDatabase()
  await migrate(url)
  const connection = await new PrismaPg({ connectionString: url }).connect()
  await connection.executeScript(
    `UPDATE "_prisma_migrations" SET "finished_at" = NULL WHERE "migration_name" = '${names.at(-1)}'`,
  )
  await expect(migrate(url)).rejects.toThrow(new RegExp(`${names.at(-1)} .*has not finished.*migrate resolve`))
  await connection.executeScript(`
    UPDATE "_prisma_migrations" SET "rolled_back_at" = now() WHERE "migration_name" = '${names.at(-1)}';
    INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at")
      VALUES ('1', '', '${names.at(-1)}', now())`)
  await connection.dispose()
  expect(await migrate(url)).toBe(names.length + 1)
})
