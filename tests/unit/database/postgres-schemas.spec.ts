import { readdirSync, readFileSync } from 'node:fs'
import { PrismaPg } from '@prisma/adapter-pg'
import { expect, test } from 'playwright/test'
import { applyMigrations } from '@/lib/database/migrations'
import { openPostgres } from '@/lib/database/postgresql/client'
import { postgresMigrations } from '@/lib/database/postgresql/dialect'
import { needs } from '../../support/machine/needs'
import { type Postgres, startPostgres } from '../../support/storage/postgres'
import { dumpPostgres } from '../../support/storage/postgres-programs'

const migrations = 'prisma/postgresql/migrations'
const names = readdirSync(migrations).filter((name) => /^\d/.test(name))
/** And the history of migrations. */
const TABLES =
  names.flatMap((name) => readFileSync(`${migrations}/${name}/migration.sql`, 'utf8').match(/^CREATE TABLE/gm) ?? [])
    .length + 1
let postgres: Postgres

needs('PostgreSQL')
test.beforeAll(async () => {
  postgres = await startPostgres()
})
test.afterAll(() => postgres?.stop())

const inSchema = (url: string, schema: string) => `${url}?schema=${encodeURIComponent(schema)}`

async function migrate(url: string) {
  const connection = await postgresMigrations.connect(url)
  try {
    await applyMigrations(postgresMigrations, connection, migrations)
  } finally {
    await connection.dispose()
  }
}

/** Runs statements as the database's owner. @returns the rows of the last */
async function query(url: string, ...statements: string[]) {
  const connection = await new PrismaPg({ connectionString: url }).connect()
  let rows: unknown[][] = []
  for (const sql of statements) rows = (await connection.queryRaw({ sql, args: [], argTypes: [] })).rows
  await connection.dispose()
  return rows
}

/** How many tables each schema has. */
const tables = async (url: string) =>
  Object.fromEntries(
    await query(
      url,
      `SELECT "schemaname"::text, count(*)::int FROM pg_tables
       WHERE "schemaname" NOT IN ('pg_catalog', 'information_schema') GROUP BY 1`,
    ),
  )

/** All are names of one schema, whatever they look like in SQL. */
const NAMES = [
  'accounts',
  'Accounts',
  'two words',
  "o'clock",
  'a.b',
  '--',
  "x'; DROP SCHEMA public; --",
  '$1 $& %s',
  'ü'.repeat(31),
]

test('each schema of a PostgreSQL database has its own tables and history, whatever its name', async () => {
  const url = postgres.createDatabase()
  await Promise.all(NAMES.map((name) => migrate(inSchema(url, name))))
  const [[count]] = (await query(url, `SELECT count(*)::int FROM "accounts"."_prisma_migrations"`)) as [[number]]
  expect(count).toBe(names.length)
  expect(await tables(url)).toEqual(Object.fromEntries(NAMES.map((name) => [name, TABLES])))

  for (const name of NAMES) {
    const { client: db } = await openPostgres(inSchema(url, name))
    await db.consumedToken.create({ data: { id: name, expiresAt: 1n } })
    expect(await db.$queryRaw`SELECT "ConsumedToken"."id" FROM "ConsumedToken"`, name).toEqual([{ id: name }])
    const [changed] = await db.$transaction([db.$executeRaw`DELETE FROM "ConsumedToken" WHERE "id" = ${name}`])
    expect(changed, name).toBe(1)
    await db.$disconnect()
  }
})

test('the migrations create in a named PostgreSQL schema exactly what they create in public', async () => {
  const [named, unnamed] = [postgres.createDatabase(), postgres.createDatabase()]
  await migrate(inSchema(named, 'accounts'))
  await migrate(unnamed)
  const statements = (url: string) =>
    dumpPostgres(url, '--schema-only').replace(/^(--.*|\\.*|CREATE SCHEMA .*|)\n/gm, '')
  expect(statements(named)).toContain('CREATE TABLE accounts."User"')
  expect(statements(named).replaceAll('accounts.', 'public.')).toBe(statements(unnamed))
})

test('migrating needs no privilege on the PostgreSQL database if the schema exists, and creates no other', async () => {
  const url = postgres.createDatabase()
  const role = `role_${url.split('_').at(-1)}`
  await query(url, 'DROP SCHEMA public', `CREATE ROLE ${role} LOGIN`, `CREATE SCHEMA accounts AUTHORIZATION ${role}`)
  await migrate(inSchema(url.replace('latchkey@', `${role}@`), 'accounts'))
  expect(await tables(url)).toEqual({ accounts: TABLES })
  expect(await query(url, `SELECT FROM pg_namespace WHERE nspname = 'public'`)).toEqual([])
  await expect(migrate(inSchema(url.replace('latchkey@', `${role}@`), 'staff'))).rejects.toThrow('permission denied')
})

test('accounts in public move to a named PostgreSQL schema as docs/deploy.md says', async () => {
  const url = postgres.createDatabase()
  await migrate(url)
  await query(url, `INSERT INTO "User" ("id", "username", "usernameKey") VALUES ('u', 'joe', 'joe')`)
  const [, script = ''] = /```sql\n(ALTER SCHEMA [^`]+)```/.exec(readFileSync('docs/deploy.md', 'utf8')) ?? []
  await query(url, ...script.trim().split('\n'))
  await migrate(inSchema(url, 'accounts'))
  expect(await tables(url)).toEqual({ accounts: TABLES })
  const { client: db } = await openPostgres(inSchema(url, 'accounts'))
  expect(await db.user.count()).toBe(1)
  await db.$disconnect()
})
