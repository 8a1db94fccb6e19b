import { PrismaPg } from '@prisma/adapter-pg'
import { createRecoveryCodes, registrationOptions, signInWithPassword, signUp } from '../support/accounts'
import { Authenticator } from '../support/authenticator'
import { type Answer, Client } from '../support/client'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'

const run = (sql: string) => ({ sql, args: [], argTypes: [] })

/** Each inserts a row into a table that the test locks. */
const INSERTS: Record<string, (client: Client, authenticator: Authenticator) => Promise<() => Promise<Answer>>> = {
  RecoveryCode: async (client) => () => client.post('/api/i/recovery-codes'),
  Passkey: async (client, authenticator) => {
    const made = authenticator.create(await registrationOptions(client))
    return () => client.post('/api/auth/register/verify', made)
  },
}

for (const [table, prepare] of Object.entries(INSERTS)) {
  test(`on PostgreSQL, an insert into ${table} that is held up does not land after a sign-out everywhere has answered`, {
    tag: '@networked',
  }, async ({ start, ownPostgres }) => {
    const url = ownPostgres.createDatabase()
    const server = await start({ env: { DATABASE_URL: url } })
    const [client, elsewhere] = [new Client(server), new Client(server)]
    const { username } = await signUp(client)
    await signInWithPassword(elsewhere, username)
    const insert = await prepare(client, new Authenticator(server.origin))

    const connection = await new PrismaPg({ connectionString: url }).connect()
    const waiting = async () => {
      const blocked = `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
      return Number((await connection.queryRaw(run(blocked))).rows[0]?.[0])
    }
    const lock = await connection.startTransaction()
    await lock.executeRaw(run(`LOCK TABLE "${table}" IN EXCLUSIVE MODE`))
    const inserting = insert()
    await expect.poll(waiting).toBe(1)
    let answered = false
    const ending = elsewhere.post('/api/i/signout-everywhere').finally(() => {
      answered = true
    })
    await expect.poll(async () => answered || (await waiting()) === 2).toBe(true)
    // It waits for the insert, or the insert must fail.
    const answeredFirst = answered
    await lock.executeRaw(run('COMMIT'))
    await lock.commit()
    const [inserted, ended] = await Promise.all([inserting, ending])
    await connection.dispose()

    expect(ended.status, ended.text).toBe(204)
    expect(inserted.status, inserted.text).toBe(answeredFirst ? 401 : 201)
    await signInWithPassword(client, username)
    const { passkeys, recoveryCodesLeft } = await expectSignedIn(client)
    expect(passkeys.length + recoveryCodesLeft > 0).toBe(inserted.status === 201)
    await createRecoveryCodes(client)
  })
}
