import { signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { startPgbouncer } from '../../support/storage/pgbouncer'

test('a server works through a pooler that gives each transaction another connection', { tag: '@networked' }, async ({
  start,
  ownPostgres,
}) => {
  needs('PgBouncer')
  const pooler = await startPgbouncer(ownPostgres.createDatabase())
  const server = await start({ env: { DATABASE_URL: pooler.url } })
  const made = await Promise.all(Array.from({ length: 4 }, () => signUp(new Client(server))))
  const answers = await Promise.all(made.map(({ username }) => signInWithPassword(new Client(server), username)))
  expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200))
  const asking = Array.from({ length: 10 }, () => made.map(({ token }) => new Client(server, { bearer: token })))
  await Promise.all(asking.flat().map((client) => expectSignedIn(client)))
  pooler.stop()
})
