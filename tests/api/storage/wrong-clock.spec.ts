import { randomBytes } from 'node:crypto'
import { invitationIn, PASSWORD, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { accountsWith } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'
import { executeSql, readSql } from '../../support/storage/sql'

/** A server that looks for expired rows all the time, and whose clock can be set while the process runs. */
const env = { CLOCK_IS_SHARED: '1', CLOCK_JUMPS: '1' }
const day = 86_400_000

const jumpsSeen = (server: Server) => server.output().split('The clock was set').length - 1

/** Resolves once the server has seen that its clock was set, and so has ended what it removed before. */
async function setClock(server: Server, days: number) {
  const before = jumpsSeen(server)
  await fetch(`${server.url}/api/health`, { headers: { 'X-Clock-Ahead': String(days * day) } })
  await expect.poll(() => jumpsSeen(server), { intervals: [20] }).toBeGreaterThan(before)
}

test('a clock that jumps ahead and comes back leaves signed-out sessions signed out', async ({ start }) => {
  const server = await start({ clock: 'movable', env })
  const client = new Client(server)
  const { token } = await signUp(client)
  const copied = new Client(server, { bearer: token })
  await expectSignedIn(copied)
  expect((await client.post('/api/signout')).status).toBe(204)

  // While the clock is right, what has expired is removed.
  const id = randomBytes(8).toString('hex')
  executeSql(server.databaseUrl, `INSERT INTO "ConsumedToken" ("id", "expiresAt") VALUES ('${id}', 1)`)
  const left = () => readSql(server.databaseUrl, `SELECT "id" FROM "ConsumedToken" WHERE "id" = '${id}'`)
  await expect.poll(left).toEqual([])

  await setClock(server, 9)
  await setClock(server, 18)
  await expectSignedOut(copied)
})

test('a server that starts with its clock months ahead leaves used invitations used', async ({ start }) => {
  const invited = { SIGN_UP: 'invited' }
  const server = await start({ env: invited })
  const settings = { ...settingsOf(server), ...invited, APP_ORIGIN: server.origin }
  const { stdout } = await accountsWith(settings, ['invite', '--expires', '90d'])
  const invitation = invitationIn(stdout.trim())
  const accept = () =>
    new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD, invitation })
  expect((await accept()).status).toBe(201)
  await server.kill('SIGTERM')

  const ahead = await start({
    beside: server,
    clock: 'movable',
    env: { ...env, CLOCK_AHEAD: String(100 * day) },
  })
  await setClock(ahead, 200)
  await setClock(ahead, 300)
  await ahead.kill('SIGTERM')

  await server.restart()
  expectError(await accept(), 403, 'sign_up_closed')
})
