import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { explained, isUnavailable } from '@/lib/database/errors'
import { openPostgres, postgresFactory } from '@/lib/database/postgresql/client'
import { postgresMigrations } from '@/lib/database/postgresql/dialect'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { makeCertificate } from '../../support/network/certificate'
import { type Postgres, startPostgres } from '../../support/storage/postgres'

test.describe('connections to PostgreSQL', suite)

function suite() {
  needs('PostgreSQL')
  let postgres: Postgres
  test.beforeAll(async () => {
    postgres = await startPostgres()
  })
  test.afterAll(() => postgres?.stop())

  test('a server that only replicates is not read from, because it may not know yet what was revoked, until it is the primary', async () => {
    const primary = await startPostgres()
    const url = new URL(primary.createDatabase())
    const standby = await primary.startStandby()
    url.port = String(standby.port)
    const { client: db } = await openPostgres(url.href)
    const read = () => db.$queryRaw`SELECT 1`
    const failure = await read().catch((error: unknown) => error)
    expect([String(failure), isUnavailable(failure)]).toEqual([expect.stringContaining('is a standby'), true])
    standby.promote()
    await read()
    await db.$disconnect()
    await Promise.all([primary.stop(), standby.stop()])
  })

  test("a connection that fails is explained by a sentence, and the certificate of a private authority needs sslrootcert, without a warning of Node's", async () => {
    const folder = temporaryFolder('postgres-tls')
    const { certFile, keyFile } = makeCertificate(folder, ['127.0.0.1'])
    const authority = `${certFile}.copy`
    writeFileSync(authority, readFileSync(certFile))
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', folder])
    const server = await startPostgres('ssl=on', `ssl_cert_file=${certFile}`, `ssl_key_file=${keyFile}`)
    server.psql("CREATE ROLE guarded LOGIN PASSWORD 'right'")
    const hba = server.psql('SHOW hba_file').trim()
    writeFileSync(hba, `host all guarded all scram-sha-256\nhost all shunned all reject\n${readFileSync(hba, 'utf8')}`)
    server.psql('SELECT pg_reload_conf()')
    const url = server.createDatabase()
    const warnings: Error[] = []
    const collect = (warning: Error) => warnings.push(warning)
    process.on('warning', collect)
    const begin = async (address: string) => {
      const adapter = await postgresMigrations.connect(address)
      try {
        await (await postgresMigrations.begin(adapter)).rollback()
        return 'connected'
      } catch (error) {
        return (explained(error) as Error).message
      } finally {
        await adapter.dispose()
      }
    }
    const as = (user: string) => url.replace('latchkey@', `${user}@`)
    const expected: [string, RegExp][] = [
      [`${url}?sslmode=require`, /^no TLS with PostgreSQL \(.*certificate.*sslmode=verify-full&sslrootcert=FILE/],
      [`${url}?sslmode=verify-full&sslrootcert=${authority}`, /^connected$/],
      [`${url}?sslmode=require&sslrootcert=${authority}`, /^connected$/],
      [`${postgres.createDatabase()}?sslmode=require`, /^no TLS with PostgreSQL \(The server does not support SSL/],
      [as('guarded:wrong'), /^PostgreSQL rejects the password of guarded: check the user and the password/],
      [as('shunned'), /^PostgreSQL refuses the connection \(pg_hba.conf rejects connection .*shunned/],
      [`${url}_gone`, /^PostgreSQL has no database latchkey_.*_gone: create it/],
      ['postgresql://latchkey@127.0.0.1:9/a', /^PostgreSQL cannot be reached at 127\.0\.0\.1:9: check that it runs/],
      ['postgresql://latchkey@localhost:9/a', /^PostgreSQL cannot be reached at [\d.:]+:9: check that it runs/],
      ['postgresql://latchkey@nowhere.invalid/a', /^PostgreSQL (cannot be reached|does not answer \(.*nowhere)/],
    ]
    for (const [address, sentence] of expected) expect(await begin(address), address).toMatch(sentence)
    process.off('warning', collect)
    expect(warnings).toEqual([])
    await server.stop()
  })

  test('closing also ends the connections that only direct statements have used, once', async () => {
    const { adapter, close } = await openPostgres(postgres.createDatabase())
    const read = () => adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] })
    await read()
    await Promise.all([close(), close()])
    await close()
    await expect(read()).rejects.toThrow('after calling end on the pool')
  })

  test('a transaction that times out leaves no blocked connection behind', async () => {
    const waits = { connectMilliseconds: 10_000, queryMilliseconds: 3_000 }
    const adapter = await postgresFactory(postgres.createDatabase(), waits).connect()
    const statement = (sql: string) => ({ sql, args: [], argTypes: [] })
    const hang = async () => {
      const transaction = await adapter.startTransaction()
      await expect(transaction.queryRaw(statement('SELECT pg_sleep(60)'))).rejects.toThrow('timeout')
      await transaction.executeRaw(statement('ROLLBACK')).catch(() => undefined)
      await transaction.rollback()
    }
    // As many as the pool has.
    await Promise.all(Array.from({ length: 10 }, hang))
    expect((await adapter.queryRaw(statement('SELECT 1'))).rows).toEqual([[1]])
    await adapter.dispose()
  })

  test('a statement of an operator can take longer than one of a request', async () => {
    const url = postgres.createDatabase()
    const sleep = async (patient: boolean) => {
      const { client, close } = await openPostgres(url, patient)
      return client.$queryRaw`SELECT pg_sleep(3)::text AS "slept"`.finally(close)
    }
    const [hurried, patient] = await Promise.allSettled([sleep(false), sleep(true)])
    expect([hurried.status, patient.status]).toEqual(['rejected', 'fulfilled'])
  })

  // The last: it ends the server that the others use.
  test('every transaction that a crash of the server breaks off failed because the database was unavailable', async () => {
    const { client: db } = await openPostgres(postgres.createDatabase())
    const counted = () => db.$executeRaw`SELECT 1`
    const failures: unknown[] = []
    async function transact() {
      while (failures.length < 30)
        await db.$transaction([counted(), counted(), counted()]).catch((error: unknown) => failures.push(error))
    }
    const working = Promise.all(Array.from({ length: 10 }, transact))
    await counted()
    await postgres.crash()
    await working
    expect(failures.filter((failure) => !isUnavailable(failure)).map(String)).toEqual([])
    await db.$disconnect()
  })
}
