import '../../support/unit/environment'
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ArgType, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import { expect, test } from 'playwright/test'
import { newUserId } from '@/lib/auth/account'
import { createPasskeyUser } from '@/lib/auth/passkeys/registration'
import { consumeToken } from '@/lib/auth/tokens/tokens'
import { database, transaction } from '@/lib/database/client'
import { isUnavailable } from '@/lib/database/errors'
import { sqliteAdapterFactory } from '@/lib/database/sqlite/adapter'
import { openSqlite } from '@/lib/database/sqlite/client'
import { checkDriver, openDatabase, preparedStatements } from '@/lib/database/sqlite/driver'
import { start } from '@/lib/lifecycle'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const passkey = (id: string) => ({
  id,
  name: 'Passkey',
  publicKey: new Uint8Array(1),
  counter: 0n,
  transports: '',
  deviceType: 'singleDevice' as const,
  backedUp: false,
  aaguid: '',
  userVerified: true,
  createdConditionally: false,
})
const random = () => randomBytes(12).toString('hex')

test.beforeAll(() => start())

test('the embedded database uses WAL, leaves waiting for the disk to the adapter, enforces foreign keys and overwrites what is deleted', async () => {
  const db = await database()
  expect(await db.$queryRaw`PRAGMA journal_mode`).toEqual([{ journal_mode: 'wal' }])
  expect(await db.$queryRaw`PRAGMA synchronous`).toEqual([{ synchronous: 1n }])
  expect(await db.$queryRaw`PRAGMA foreign_keys`).toEqual([{ foreign_keys: 1n }])
  expect(await db.$queryRaw`PRAGMA secure_delete`).toEqual([{ secure_delete: 1n }])
})

test('a database that only raw statements have used is closed in full, with nothing left outside of its file', async () => {
  const file = join(temporaryFolder('close'), 'a.db')
  const { adapter, close } = await openSqlite(`file:${file}`)
  await adapter.executeScript('CREATE TABLE "T" ("a" INTEGER)')
  await Promise.all([close(), close()])
  await close()
  expect(readdirSync(dirname(file))).toEqual(['a.db'])
})

test('a nested write that rolls back undoes no write that another request has acknowledged', async () => {
  const taken = random()
  await createPasskeyUser({ id: newUserId(), username: random(), passkey: passkey(taken) })
  const acknowledged: string[] = []
  const failing = () =>
    createPasskeyUser({ id: newUserId(), username: random(), passkey: passkey(taken) }).catch(() => null)
  const writing = async () => {
    const id = random()
    if (await consumeToken({ jti: id, exp: 9_999_999_999 })) acknowledged.push(id)
  }
  const repeat = async (times: number, what: () => Promise<unknown>) => {
    for (let round = 0; round < times; round++) await what()
  }
  await Promise.all([...Array(5)].flatMap(() => [repeat(10, failing), repeat(60, writing)]))
  const db = await database()
  expect(acknowledged).toHaveLength(300)
  const kept = new Set((await db.consumedToken.findMany()).map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

test('an account and its first passkey are created together or not at all, and the error code says which one was taken', async () => {
  const [name, id, otherName, otherId] = [random(), random(), random(), random()]
  const create = (username: string, passkeyId: string) =>
    createPasskeyUser({ id: newUserId(), username, passkey: passkey(passkeyId) })
  await create(name, id)
  await expect(create(otherName, id)).rejects.toMatchObject({ code: 'passkey_taken' })
  await expect(create(name.toUpperCase(), otherId)).rejects.toMatchObject({ code: 'username_taken' })
  const db = await database()
  expect(await db.user.count({ where: { username: otherName } })).toBe(0)
  expect(await db.passkey.count({ where: { id: otherId } })).toBe(0)
})

test("a transaction's results stand under the names of their statements, whatever precedes them", async () => {
  const db = await database()
  const insertion = () => db.$executeRaw`INSERT INTO "Group" ("name") VALUES (${randomBytes(8).toString('hex')})`
  const none = () => db.group.deleteMany({ where: { name: '' } })
  const statements = { absent: undefined, none: none(), empty: [], inserted: [insertion(), insertion()], last: none() }
  const results = await transaction(db, statements, [insertion(), insertion()])
  expect(results).toEqual({ none: { count: 0 }, empty: [], inserted: [1, 1], last: { count: 0 } })
})

test.describe('the adapter', () => {
  const arg = (scalarType: ArgType['scalarType']): ArgType => ({ scalarType, arity: 'scalar' })
  const query = (sql: string, args: unknown[] = [], types: ArgType['scalarType'][] = []) => ({
    sql,
    args,
    argTypes: args.map((_, index) => arg(types[index] ?? 'unknown')),
  })

  test('a prepared SQLite statement is reused with other values and survives a schema change', async () => {
    const adapter = await sqliteAdapterFactory(':memory:').connect()
    await adapter.executeScript('CREATE TABLE "T" ("a" INTEGER, "b" TEXT)')
    const use = (sql: string, ...args: unknown[]) => adapter.queryRaw(query(sql, args))
    for (const a of [1, 2, 3]) await use('INSERT INTO "T" VALUES (?, ?)', a, `row ${a}`)
    for (const a of [3, 1]) expect((await use('SELECT "b" FROM "T" WHERE "a" = ?', a)).rows).toEqual([[`row ${a}`]])
    await adapter.executeScript('ALTER TABLE "T" ADD COLUMN "c" TEXT')
    expect((await use('SELECT "b" FROM "T" WHERE "a" = ?', 2)).rows).toEqual([['row 2']])
  })

  test('SQLite statements stay prepared until many others have been', async () => {
    const memory = await openDatabase(':memory:', 0)
    const compile = memory.prepare.bind(memory)
    const compiled: string[] = []
    const counting = (sql: string) => {
      compiled.push(sql)
      return compile(sql)
    }
    const prepare = preparedStatements(Object.defineProperty(memory, 'prepare', { value: counting }))
    for (let n = 0; n < 500; n++) prepare(`SELECT ${n}`)
    const [first, latest] = ['SELECT 0', 'SELECT 499']
    for (const sql of [latest, first]) expect(prepare(sql).all([])).toHaveLength(1)
    expect(compiled.slice(500)).toEqual([first])
    memory.close()
  })

  test('SQLite returns integers beyond 2^53, bytes, times and text as they were written', async () => {
    const adapter = await sqliteAdapterFactory(':memory:').connect()
    await adapter.executeScript(
      'CREATE TABLE "T" ("big" BIGINT, "bytes" BLOB, "time" DATETIME, "flag" BOOLEAN, "text" TEXT)',
    )
    const time = '2026-11-21T10:20:30.456Z'
    const values = ['9223372036854775807', Buffer.from([0, 255, 10]).toString('base64'), time, true, 'é 漢 🔑 \'"']
    const insert = query('INSERT INTO "T" VALUES (?, ?, ?, ?, ?)', values, [
      'bigint',
      'bytes',
      'datetime',
      'boolean',
      'string',
    ])
    expect(await adapter.executeRaw(insert)).toBe(1)
    const { rows, columnTypes } = await adapter.queryRaw(query('SELECT * FROM "T"'))
    const bytes = expect.objectContaining({ 0: 0, 1: 255, 2: 10, length: 3 })
    expect(rows).toEqual([['9223372036854775807', bytes, '2026-11-21T10:20:30.456+00:00', 1, 'é 漢 🔑 \'"']])
    const types = ['Int64', 'Bytes', 'DateTime', 'Boolean', 'Text'] as const
    expect(columnTypes).toEqual(types.map((type) => ColumnTypeEnum[type]))
  })

  test('a SQLite transaction holds the write lock from its start, and a write by another process waits for it, or fails as unavailable once its patience ends', async () => {
    const path = join(temporaryFolder('busy'), 'a.db')
    const connect = (patience: number) => sqliteAdapterFactory(path, patience).connect()
    const [first, second, patient] = [await connect(0), await connect(10), await connect(10_000)]
    await first.executeScript('PRAGMA journal_mode = WAL; CREATE TABLE "T" ("a" INTEGER)')
    const write = query('INSERT INTO "T" VALUES (1)')
    const transaction = await first.startTransaction()
    const waiting = patient.executeRaw(write)
    const rejected = await second.executeRaw(write).catch((error: unknown) => error)
    expect(isUnavailable(rejected)).toBe(true)
    await transaction.executeRaw(write)
    await transaction.commit()
    expect(await waiting).toBe(1)
    expect(await second.executeRaw(write)).toBe(1)
    expect((await first.queryRaw(query('SELECT count(*) FROM "T"'))).rows).toEqual([[3]])
  })

  test('no commit is reported before it is on the disk, but of statements that a power cut may cost', async () => {
    const path = join(temporaryFolder('flush'), 'a.db')
    const adapter = await sqliteAdapterFactory(path).connect()
    await adapter.executeScript('PRAGMA journal_mode = WAL; CREATE TABLE "T" ("a" INTEGER)')
    adapter.flushBeside(`${path}-wal`)
    const write = query('INSERT INTO "T" VALUES (1)')
    await Promise.all(Array.from({ length: 20 }, () => adapter.executeRaw(write)))
    // A device that cannot flush.
    adapter.flushBeside('/dev/null')
    const commit = async () => {
      const transaction = await adapter.startTransaction()
      await transaction.executeRaw(write)
      await transaction.commit()
    }
    const returning = query('INSERT INTO "T" VALUES (1) RETURNING "a"')
    for (const report of [() => adapter.executeRaw(write), () => adapter.queryRaw(returning), commit]) {
      const error = await report().catch((thrown: unknown) => thrown)
      expect(isUnavailable(error)).toBe(true)
    }
    expect(await adapter.executeRaw({ ...write, flushed: false })).toBe(1)
    expect((await adapter.queryRaw(query('SELECT count(*) FROM "T"'))).rows).toEqual([[24]])
  })

  test('a full disk rolls the transaction back, counts as unavailable and does no harm once there is space', async () => {
    const path = join(temporaryFolder('full'), 'a.db')
    const adapter = await sqliteAdapterFactory(path).connect()
    await adapter.executeScript('CREATE TABLE "T" ("a" BLOB); INSERT INTO "T" VALUES (x\'00\')')
    const grow = query('INSERT INTO "T" VALUES (randomblob(1000000))')
    await adapter.executeScript('PRAGMA max_page_count = 10')
    for (const alone of [true, false]) {
      const transaction = alone ? null : await adapter.startTransaction()
      await transaction?.executeRaw(query('INSERT INTO "T" VALUES (x\'01\')'))
      const rejected = await (transaction ?? adapter).executeRaw(grow).catch((error: unknown) => error)
      expect(isUnavailable(rejected)).toBe(true)
      await transaction?.rollback()
    }
    await adapter.executeScript('PRAGMA max_page_count = 1000000')
    expect((await adapter.queryRaw(query('SELECT count(*) FROM "T"'))).rows).toEqual([[1]])
    expect(await adapter.executeRaw(grow)).toBe(1)
  })

  test('the SQLite adapter names the constraint that a write violated', async () => {
    const adapter = await sqliteAdapterFactory(':memory:').connect()
    await adapter.executeScript(
      'CREATE TABLE "P" ("id" TEXT PRIMARY KEY); CREATE TABLE "C" ("p" TEXT NOT NULL REFERENCES "P")',
    )
    await adapter.executeScript('INSERT INTO "P" VALUES (\'a\')')
    const causeOf = (sql: string) => adapter.executeRaw(query(sql)).catch((error: Error) => error.cause)
    expect(await causeOf('INSERT INTO "P" VALUES (\'a\')')).toMatchObject({
      kind: 'UniqueConstraintViolation',
      constraint: { fields: ['id'] },
      table: 'P',
    })
    expect(await causeOf('INSERT INTO "C" VALUES (\'b\')')).toMatchObject({ kind: 'ForeignKeyConstraintViolation' })
    expect(await causeOf('INSERT INTO "C" VALUES (NULL)')).toMatchObject({ kind: 'NullConstraintViolation' })
    expect(await causeOf('INSERT INTO "Nowhere" VALUES (1)')).toMatchObject({ kind: 'TableDoesNotExist' })
  })

  test('a SQLite driver that cannot run statements as the adapter does is rejected when it is loaded', async () => {
    const { DatabaseSync } = await import('@photostructure/sqlite')
    expect(() => checkDriver({ DatabaseSync })).not.toThrow()
    class WithoutColumns extends DatabaseSync {
      override prepare(sql: string) {
        return Object.assign(super.prepare(sql), { columns: undefined }) as never
      }
    }
    class WithoutBigInts extends DatabaseSync {
      override prepare(sql: string) {
        return Object.assign(super.prepare(sql), { setReadBigInts: () => undefined })
      }
    }
    for (const Broken of [WithoutColumns, WithoutBigInts]) {
      expect(() => checkDriver({ DatabaseSync: Broken as unknown as typeof DatabaseSync })).toThrow()
    }
  })
})
