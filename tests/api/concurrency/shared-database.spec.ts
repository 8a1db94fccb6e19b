import { PrismaPg } from '@prisma/adapter-pg'
import {
  authenticate,
  createRecoveryCodes,
  randomName,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { lacks } from '../../support/machine/needs'
import { runModule } from '../../support/operator/run-module'
import { JWT_SECRET } from '../../support/secret'
import { takeLock } from '../../support/storage/database-lock'
import { startPgbouncer } from '../../support/storage/pgbouncer'
import { Authenticator } from '../../support/webauthn/authenticator'

async function connect(url: string) {
  const connection = await new PrismaPg({ connectionString: url }).connect()
  return {
    query: async (sql: string) => (await connection.queryRaw({ sql, args: [], argTypes: [] })).rows,
    close: () => connection.dispose(),
  }
}

const SCHEMAS = ['accounts', 'Staff only']

/** Tables of an app, two of them named like Latchkey's. */
const APP = [
  `CREATE TABLE "User" ("id" SERIAL PRIMARY KEY, "email" TEXT)`,
  `CREATE TABLE "_prisma_migrations" ("id" TEXT, "migration_name" TEXT)`,
  `INSERT INTO "User" ("email") VALUES ('owner@example.com')`,
  `INSERT INTO "_prisma_migrations" VALUES ('1', '20200101000000_app')`,
]

// Through PgBouncer in transaction mode: the servers take turns on its three connections.
test("two Latchkeys in two schemas of one PostgreSQL database touch neither each other nor an app's tables in public", {
  tag: '@networked',
}, async ({ start, ownPostgres }) => {
  test.slow()
  const direct = ownPostgres.createDatabase()
  const { query, close } = await connect(direct)
  for (const sql of APP) await query(sql)
  const pooler = lacks('PgBouncer') ? null : await startPgbouncer(direct)
  const urls = SCHEMAS.map((name) => `${pooler?.url ?? direct}?schema=${encodeURIComponent(name)}`)
  // One secret, so that nothing but the schema keeps their tokens apart.
  const servers = await Promise.all(
    urls.map((DATABASE_URL) => start({ env: { DATABASE_URL, JWT_SECRET, REDIS_URL: undefined } })),
  )
  const [a, b] = servers.map((server) => new Client(server)) as [Client, Client]
  const fresh = ({ server }: Client) => new Client(server)

  const username = randomName()
  const [{ token }] = await Promise.all([signUp(a, username), signUp(b, username)])
  expectError(await a.post('/api/signup', { username, password: 'another good passphrase' }), 409, 'username_taken')
  await expectSignedOut(new Client(b.server, { bearer: token }))

  const authenticator = new Authenticator(a.server.origin)
  expect((await register(a, authenticator)).status).toBe(201)
  expect((await authenticate(fresh(a), authenticator)).status).toBe(200)
  const codes = await createRecoveryCodes(a)
  expectAuthenticationFailed(await signInWithRecoveryCode(fresh(b), username, codes[0]))
  expect((await signInWithRecoveryCode(fresh(a), username, codes[0])).status).toBe(200)
  expect(await expectSignedIn(a)).toMatchObject({ passkeys: [{}], recoveryCodesLeft: 9 })
  expect(await expectSignedIn(b)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  expect((await a.post('/api/i/sessions')).body.sessions).toHaveLength(3)
  expect((await b.post('/api/i/sessions')).body.sessions).toHaveLength(1)
  expect((await eventsOf(a)).map(({ type }) => type)).toContain('passkey_added')

  for (let attempt = 0; attempt < 5; attempt++)
    expectAuthenticationFailed(await signInWithPassword(fresh(a), username, 'wrong password'))
  expectError(await signInWithPassword(fresh(a), username), 429, 'too_many_attempts')
  expect((await signInWithPassword(fresh(b), username)).status).toBe(200)

  expect((await a.post('/api/signout')).status).toBe(204)
  await expectSignedOut(a)
  expect((await authenticate(a, authenticator)).status).toBe(200)
  expect((await a.post('/api/i/delete')).status).toBe(204)
  await expectSignedIn(b)

  const inTenYears = Date.now() + 10 * 365 * 86_400_000
  await runModule('@/lib/database/purge', `purge(${inTenYears}).then(() => null)`, {
    DATABASE_URL: `${urls[0]}`,
    JWT_SECRET,
  })
  const rowsOf = (schema: string) =>
    query(`SELECT (SELECT count(*) FROM "${schema}"."User") + (SELECT count(*) FROM "${schema}"."ConsumedToken")
             + (SELECT count(*) FROM "${schema}"."RateLimit") + (SELECT count(*) FROM "${schema}"."FailureStreak")`)
  expect(Number((await rowsOf('accounts'))[0]?.[0])).toBe(0)
  expect(Number((await rowsOf('Staff only'))[0]?.[0])).toBeGreaterThan(1)
  await expectSignedIn(b)

  const tables = `SELECT "schemaname"::text, count(*)::int FROM pg_tables
                  WHERE "schemaname" NOT IN ('pg_catalog', 'information_schema') GROUP BY 1`
  expect(Object.fromEntries(await query(tables))).toEqual({ public: 2, accounts: 28, 'Staff only': 28 })
  expect(await query('SELECT * FROM public."User"')).toEqual([[1, 'owner@example.com']])
  expect(await query('SELECT * FROM public."_prisma_migrations"')).toEqual([['1', '20200101000000_app']])
  const histories = SCHEMAS.map((schema) => query(`SELECT "migration_name" FROM "${schema}"."_prisma_migrations"`))
  const [first, second] = await Promise.all(histories)
  expect(first?.length).toBeGreaterThan(0)
  expect(first).toEqual(second)
  await close()
  pooler?.stop()
})

test('sweeps of two instances on PostgreSQL share the expired rows and leave one that a request renews meanwhile', {
  tag: '@networked',
}, async ({ start, ownPostgres }) => {
  const DATABASE_URL = ownPostgres.createDatabase()
  await start({ env: { DATABASE_URL, JWT_SECRET, REDIS_URL: undefined } })
  const { query, close } = await connect(DATABASE_URL)
  await query(`INSERT INTO "ConsumedToken" SELECT 'expired-' || n, n FROM generate_series(1, 5000) n`)
  await query(`INSERT INTO "RateLimit" VALUES ('renewed', 0, 1, 0, 1), ('over', 0, 1, 0, 1)`)
  const inAnHour = Date.now() + 3_600_000
  const held = await takeLock(DATABASE_URL, `UPDATE "RateLimit" SET "expiresAt" = ${inAnHour} WHERE "key" = 'renewed'`)
  // A sweep that waited for the lock would fail by its deadline.
  const sweep = () => runModule('@/lib/database/purge', 'purge().then(() => null)', { DATABASE_URL, JWT_SECRET })
  await Promise.all([sweep(), sweep()])
  await held.release()
  expect(await query(`SELECT "key" FROM "RateLimit" WHERE "key" IN ('renewed', 'over')`)).toEqual([['renewed']])
  expect(await query(`SELECT count(*)::int FROM "ConsumedToken" WHERE "id" LIKE 'expired-%'`)).toEqual([[0]])
  await close()
})
