import { eventKindOf } from '@/lib/api/schemas'
import { authenticate, signInWithPassword, signInWithRecoveryCode } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectAuthenticationFailed, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import type { Server } from '../../support/server/server'
import { holdPasskey, type KeptAccount, keptSchemas, placeKeptDatabase } from '../../support/storage/earlier-databases'
import { withoutSchema } from '../../support/storage/postgres-programs'
import { readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

/** Starts the product on a database that an earlier version left. */
const test = base.extend<{ upgrade: (schema: string) => Promise<{ kept: KeptAccount; server: Server }> }>({
  upgrade: ({ emptyStores, start }, use, testInfo) =>
    use(async (schema) => {
      const stores = emptyStores()
      const inFile = `file:${testInfo.outputPath('latchkey.db')}`
      const DATABASE_URL = stores.DATABASE_URL ? withoutSchema(stores.DATABASE_URL) : inFile
      const kept = placeKeptDatabase(schema, DATABASE_URL)
      const newest = 'SELECT "migration_name" FROM "_prisma_migrations" ORDER BY 1 DESC LIMIT 1'
      expect(readSql(DATABASE_URL, newest)).toEqual([schema])
      // A minute later by the server's clock, before sessions and events expire.
      const CLOCK_AHEAD = String(Date.parse(kept.at) + 60_000 - Date.now())
      const env = { ...stores, DATABASE_URL, JWT_SECRET: kept.secret, BCRYPT_COST: '10', CLOCK_AHEAD }
      return { kept, server: await start({ clock: 'movable', env }) }
    }),
})

for (const schema of keptSchemas) {
  test(`a start migrates a database of the schema ${schema}, and its account is what it was @storage`, async ({
    upgrade,
  }) => {
    const { kept, server } = await upgrade(schema)
    const client = new Client(server, { bearer: kept.session })
    expect(await expectSignedIn(client)).toMatchObject(kept.seen.account)
    for (const kind of ['sign_ins', 'changes']) {
      expect(await eventsOf(client, kind)).toMatchObject(
        kept.seen.events.filter(({ type }) => eventKindOf(type) === kind),
      )
    }
    expect((await client.post('/api/i/sessions')).body.sessions).toMatchObject(kept.seen.sessions)
    await expectSignedOut(new Client(server, { bearer: kept.over.session }))
    await expectEachWayIn(server, kept)
  })
}

async function expectEachWayIn(server: Server, kept: KeptAccount) {
  const { id, username, password, recoveryCode, over } = kept
  const user = { id, username }
  const another = () => new Client(server)
  expect((await signInWithPassword(another(), username, password)).body).toMatchObject({ user })
  const authenticator = new Authenticator(server.origin)
  holdPasskey(authenticator, kept)
  // First: a passkey without a user handle would take this one for its own.
  const stranger = { userHandle: Buffer.alloc(16).toString('base64url') }
  expectAuthenticationFailed(await authenticate(another(), authenticator, undefined, stranger))
  expect((await authenticate(another(), authenticator)).body).toMatchObject({ user })
  if (recoveryCode === null || over.recoveryCode === null) return
  expectAuthenticationFailed(await signInWithRecoveryCode(another(), username, over.recoveryCode))
  expect((await signInWithRecoveryCode(another(), username, recoveryCode)).body).toMatchObject({ user })
}
