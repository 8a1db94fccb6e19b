import './environment'
import { randomBytes } from 'node:crypto'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { expect, test } from 'playwright/test'
import { createPasskeyUser } from '@/lib/auth/passkey-store'
import { newUserId } from '@/lib/auth/user'
import { database } from '@/lib/data/database'
import { serialSqlite } from '@/lib/data/serial-sqlite'
import { spend } from '@/lib/data/spent-tokens'
import { start } from '@/lib/data/start'

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
})
const random = () => randomBytes(12).toString('hex')

test.beforeAll(() => start())

test('the embedded database syncs every commit to disk, logs ahead, and keeps foreign keys', async () => {
  const client = await database()
  expect(await client.$queryRaw`PRAGMA journal_mode`).toEqual([{ journal_mode: 'wal' }])
  expect(await client.$queryRaw`PRAGMA synchronous`).toEqual([{ synchronous: 2n }])
  expect(await client.$queryRaw`PRAGMA foreign_keys`).toEqual([{ foreign_keys: 1n }])
})

test('a nested write that is rolled back takes no other request’s acknowledged write along', async () => {
  const taken = random()
  await createPasskeyUser(newUserId(), random(), passkey(taken))
  const acknowledged: string[] = []
  const failing = () => createPasskeyUser(newUserId(), random(), passkey(taken)).catch(() => null)
  const writing = async () => {
    const id = random()
    if (await spend(id, 9_999_999_999)) acknowledged.push(id)
  }
  const repeat = async (times: number, what: () => Promise<unknown>) => {
    for (let round = 0; round < times; round++) await what()
  }
  await Promise.all([...Array(5)].flatMap(() => [repeat(20, failing), repeat(200, writing)]))
  const client = await database()
  expect(acknowledged).toHaveLength(1000)
  const kept = new Set((await client.spentToken.findMany()).map(({ id }) => id))
  expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
})

test('an account and its first passkey are made together or not at all, and the code says which was taken', async () => {
  const [name, id] = [random(), random()]
  await createPasskeyUser(newUserId(), name, passkey(id))
  await expect(createPasskeyUser(newUserId(), random(), passkey(id))).rejects.toMatchObject({ code: 'passkey_taken' })
  await expect(createPasskeyUser(newUserId(), name.toUpperCase(), passkey(random()))).rejects.toMatchObject({
    code: 'username_taken',
  })
  const client = await database()
  expect(await client.user.count({ where: { passkeys: { none: {} }, passwordHash: null } })).toBe(0)
})

test('of many attempts to spend one token, one succeeds', async () => {
  const id = random()
  const results = await Promise.all(Array.from({ length: 20 }, () => spend(id, 9_999_999_999)))
  expect(results.filter(Boolean)).toHaveLength(1)
})

test('a kept statement takes other values, outlives a change of the schema, and gives way when there are many', async () => {
  const factory = serialSqlite(new PrismaBetterSqlite3({ url: ':memory:' }))
  const adapter = await factory.connect()
  await adapter.executeScript('CREATE TABLE "T" ("a" INTEGER, "b" TEXT)')
  const use = (sql: string, ...args: unknown[]) =>
    adapter.queryRaw({ sql, args, argTypes: args.map(() => ({ scalarType: 'unknown', arity: 'scalar' }) as const) })
  for (const a of [1, 2, 3]) await use('INSERT INTO "T" VALUES (?, ?)', a, `row ${a}`)
  for (const a of [3, 1]) expect((await use('SELECT "b" FROM "T" WHERE "a" = ?', a)).rows).toEqual([[`row ${a}`]])
  await adapter.executeScript('ALTER TABLE "T" ADD COLUMN "c" TEXT')
  expect((await use('SELECT "b" FROM "T" WHERE "a" = ?', 2)).rows).toEqual([['row 2']])
  for (let n = 0; n < 500; n++) expect((await use(`SELECT ${n} AS "n"`)).rows).toEqual([[n]])
})
