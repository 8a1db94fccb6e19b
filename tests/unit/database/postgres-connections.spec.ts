import { expect, test } from 'playwright/test'
import { isUnavailable } from '@/lib/database/errors'
import { openPostgres, postgresFactory } from '@/lib/database/postgresql/client'
import { needs } from '../../support/machine/needs'
import { startPostgres } from '../../support/storage/postgres'

test.describe('connections to PostgreSQL', suite)

function suite() {
  needs('PostgreSQL')

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

  test('closing also ends the connections that only direct statements have used, once', async () => {
    const server = await startPostgres()
    const { adapter, close } = await openPostgres(server.createDatabase())
    const read = () => adapter.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] })
    await read()
    await Promise.all([close(), close()])
    await close()
    await expect(read()).rejects.toThrow('after calling end on the pool')
    await server.stop()
  })

  test('a transaction that times out leaves no blocked connection behind', async () => {
    const server = await startPostgres()
    const waits = { connectMilliseconds: 10_000, queryMilliseconds: 3_000 }
    const adapter = await postgresFactory(server.createDatabase(), waits).connect()
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
    await server.stop()
  })

  test('a statement of an operator can take longer than one of a request', async () => {
    const server = await startPostgres()
    const url = server.createDatabase()
    const sleep = async (patient: boolean) => {
      const { client, close } = await openPostgres(url, patient)
      return client.$queryRaw`SELECT pg_sleep(3)::text AS "slept"`.finally(close)
    }
    const [hurried, patient] = await Promise.allSettled([sleep(false), sleep(true)])
    expect([hurried.status, patient.status]).toEqual(['rejected', 'fulfilled'])
    await server.stop()
  })

  test('every transaction that a crash of the server breaks off failed because the database was unavailable', async () => {
    const server = await startPostgres()
    const { client: db } = await openPostgres(server.createDatabase())
    const counted = () => db.$executeRaw`SELECT 1`
    const failures: unknown[] = []
    async function transact() {
      while (failures.length < 30)
        await db.$transaction([counted(), counted(), counted()]).catch((error: unknown) => failures.push(error))
    }
    const working = Promise.all(Array.from({ length: 10 }, transact))
    await counted()
    await server.crash()
    await working
    expect(failures.filter((failure) => !isUnavailable(failure)).map(String)).toEqual([])
    await db.$disconnect()
    await server.stop()
  })
}
