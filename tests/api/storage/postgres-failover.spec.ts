import { PASSWORD, randomName, signInWithPassword } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import type { Server } from '../../support/server/server'
import { startPgbouncer } from '../../support/storage/pgbouncer'
import { Authenticator } from '../../support/webauthn/authenticator'

const signUps = 60

/** What the server has acknowledged. */
type Account = { token: string; username: string; hasPassword: boolean; signedOut: boolean }

/** Every fifth account has a password; the others have a passkey, which needs no hash. */
async function signUp(client: Client, authenticator: Authenticator, username: string, hasPassword: boolean) {
  if (hasPassword) return client.post('/api/signup', { username, password: PASSWORD })
  const options = await client.post('/api/auth/register/options', { username })
  return options.status === 200 ? client.post('/api/auth/register/verify', authenticator.create(options.body)) : options
}

/** Signs up four at a time until so many accounts stand, and signs every third out. */
function signUpMany(server: Server) {
  const accounts: Account[] = []
  const failures: Answer[] = []
  const authenticator = new Authenticator(server.origin)
  let tried = 0
  async function signUpOne(n: number) {
    const [client, username, hasPassword] = [new Client(server), randomName(), n % 5 === 0]
    const answer = await signUp(client, authenticator, username, hasPassword)
    if (answer.status !== 201) {
      failures.push(answer)
      return
    }
    const account = { token: answer.body.token, username, hasPassword, signedOut: false }
    accounts.push(account)
    if (n % 3 !== 0) return
    const revoked = await client.post('/api/signout')
    if (revoked.status === 204) account.signedOut = true
    else failures.push(revoked)
  }
  async function work() {
    while (accounts.length < signUps) await signUpOne(tried++)
  }
  return { accounts, failures, finished: Promise.all(Array.from({ length: 4 }, work)) }
}

test('when a standby replaces PostgreSQL amid sign-ups, nothing that was acknowledged is lost, and requests meanwhile are answered 503', {
  tag: '@networked',
}, async ({ start, ownPostgres }) => {
  needs('PgBouncer')
  test.slow()
  const pooler = await startPgbouncer(ownPostgres.createDatabase())
  const standby = await ownPostgres.startStandby()
  const server = await start({ env: { DATABASE_URL: pooler.url, RATE_LIMIT_ADDRESS_MAX: '100000' } })
  const { accounts, failures, finished } = signUpMany(server)
  await expect.poll(() => accounts.length, { timeout: 60_000 }).toBeGreaterThan(signUps / 3)
  await ownPostgres.crash()
  await expect.poll(() => failures.length).toBeGreaterThan(4)
  standby.promote()
  const acknowledged = accounts.length
  pooler.pointTo(standby.port)
  const reloaded = Date.now()
  await expect.poll(() => accounts.length, { intervals: [50] }).toBeGreaterThan(acknowledged)
  test.info().annotations.push({ type: 'back after', description: `${Date.now() - reloaded} ms` })
  await finished
  for (const failure of failures) expectError(failure, 503, 'unavailable')

  for (const { token, username, hasPassword, signedOut } of accounts) {
    const client = new Client(server, { bearer: token })
    await (signedOut ? expectSignedOut(client) : expectSignedIn(client))
    if (hasPassword) expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
  }
  pooler.stop()
  await standby.stop()
})
