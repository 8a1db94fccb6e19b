import { execFileSync } from 'node:child_process'
import {
  createRecoveryCodes,
  PASSWORD,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expectAuthenticationFailed, expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { dumpPostgres, postgresProgram, withoutSchema } from '../../support/storage/postgres-programs'
import { executeSql, readSql } from '../../support/storage/sql'
import { makeInvitation } from '../../support/tokens/tokens'

const finishRestore = (server: Server) => accountsJson(server, 'restore')

/** An account that signed out and used a code after the backup, which was then restored. */
async function restored(server: Server) {
  const owner = new Client(server)
  const answer = await owner.post('/api/signup', {
    username: randomName(),
    password: PASSWORD,
    invitation: await makeInvitation(server),
  })
  const { username } = answer.body.user
  const { token } = answer.body
  const codes = await createRecoveryCodes(owner)
  const invitation = await makeInvitation(server)
  const dump = dumpPostgres(server.databaseUrl, '--clean', '--if-exists')

  expect((await owner.post('/api/signout')).status).toBe(204)
  const other = new Client(server)
  expect((await signInWithRecoveryCode(other, username, codes[0])).status).toBe(200)
  // Epochs that the backup does not know.
  const later: string[] = []
  for (let time = 0; time < 2; time += 1) {
    expect((await other.post('/api/i/signout-everywhere')).status).toBe(204)
    later.push((await signInWithPassword(other, username)).body.token)
  }
  await server.kill('SIGKILL')
  const words = ['-q', '-v', 'ON_ERROR_STOP=1', withoutSchema(server.databaseUrl)]
  execFileSync(postgresProgram('psql'), words, { input: dump })
  await server.restart()
  return { username, codes, ended: new Client(server, { bearer: token }), later, invitation }
}

// Of the embedded database, which a command restores whole, backup.spec.ts tells.
test('after a restore no ended session, no used recovery code and no invitation is good again', {
  tag: '@networked',
}, async ({ start }) => {
  const server = await start({ env: { SIGN_UP: 'invited' } })
  const { username, codes, ended, later, invitation } = await restored(server)
  // What the restore alone would do.
  await expectSignedIn(ended)
  const proved = () => Number(readSql(server.databaseUrl, 'SELECT "emailProvedAt" FROM "User"')[0])
  executeSql(server.databaseUrl, 'UPDATE "User" SET "emailProvedAt" = 1')

  const began = Date.now()
  expect(await finishRestore(server)).toEqual({ count: 1 })
  // Its owner may have left the address since the backup.
  expect(proved()).toBeGreaterThanOrEqual(began)
  expect(await accountsJson(server, 'export', username)).toMatchObject({
    recoveryCodesLeft: 0,
    recoveryCodesMadeAt: null,
  })
  await expectSignedOut(ended)
  const invited = { username: randomName(), password: PASSWORD, invitation }
  expectError(await new Client(server).post('/api/signup', invited), 403, 'sign_up_closed')
  for (const bearer of later) await expectSignedOut(new Client(server, { bearer }))
  // The used code, and one that is in both the backup and the lost database: the two are indistinguishable.
  for (const code of codes.slice(0, 2))
    expectAuthenticationFailed(await signInWithRecoveryCode(new Client(server), username, code))
  const client = new Client(server)
  expect((await signInWithPassword(client, username)).status).toBe(200)
  expect((await client.post('/api/i/sessions')).body.sessions).toMatchObject([{ current: true }])
  // From the restored epoch on, the account counts as before.
  for (let time = 0; time < 2; time += 1) {
    expect((await client.post('/api/i/signout-everywhere')).status).toBe(204)
    expect((await signInWithPassword(client, username)).status).toBe(200)
  }
  for (const bearer of later) await expectSignedOut(new Client(server, { bearer }))
  // A second restore ends what the first let in.
  expect(await finishRestore(server)).toEqual({ count: 1 })
  await expectSignedOut(client)
})
