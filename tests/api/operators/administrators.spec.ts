import {
  authenticate,
  createAccount,
  invitationIn,
  PASSWORD,
  randomName,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import { logLines } from '../../support/server/server-log'
import { Authenticator } from '../../support/webauthn/authenticator'

test("an administrator disables and enables an account, which its owner, the security log and the operators' log tell", async ({
  server,
}) => {
  const administrator = await createAdministrator(server)
  const person = new Client(server)
  const { id, username } = await signUp(person)
  const answer = await administrator.client.post('/api/admin/accounts/disable', { id })
  expect([answer.status, answer.body.user.username]).toEqual([200, username])
  await expectSignedOut(person)
  expect((await administrator.client.post('/api/admin/accounts/show', { username })).body).toMatchObject({
    id,
    disabled: true,
  })
  // What changes nothing answers the same and leaves no trace.
  expect((await administrator.client.post('/api/admin/accounts/disable', { id })).status).toBe(200)
  expect((await administrator.client.post('/api/admin/accounts/enable', { id })).status).toBe(200)
  expect((await signInWithPassword(person, username)).status).toBe(200)
  expect(await eventsOf(person)).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'account_disabled', method: 'operator' })]),
  )
  const { log } = (await administrator.client.post('/api/admin/log', { account: id })).body
  const entry = { at: expect.any(String), by: administrator.id, account: id, app: null, group: null }
  expect(log).toEqual([
    { ...entry, what: 'account_enabled' },
    { ...entry, what: 'account_disabled' },
  ])
  expect(await accountsJson(server, 'log', '--account', username)).toMatchObject({ log, after: null })
  const line = logLines(server.output()).find(({ event, account }) => event === 'account_disabled' && account === id)
  expect(line).toMatchObject({ method: 'operator', by: administrator.id })
})

test('who is no administrator finds nothing below /api/admin, whatever body and origin @promise', async ({
  server,
}) => {
  const stranger = new Client(server)
  const person = new Client(server)
  await signUpWithPasskey(person, new Authenticator(server.origin))
  for (const client of [stranger, person])
    for (const message of [
      { body: { id: 'x' } },
      { body: {} },
      { raw: 'no JSON' },
      { body: {}, headers: { Origin: 'https://evil.example' } },
      { body: {}, headers: { 'Latchkey-Account': 'another' } },
    ]) {
      const answer = await client.request('POST', '/api/admin/accounts/disable', message)
      expect([answer.status, answer.body.code], JSON.stringify(message)).toEqual([404, 'not_found'])
    }
})

test('a password or an unverified passkey opens the account of an administrator, never the administration @promise', async ({
  server,
}) => {
  const { client, authenticator, id, username } = await createAdministrator(server)
  expect((await client.post('/api/i/password', { password: PASSWORD })).status).toBe(200)
  const [byPassword, unverified] = [new Client(server), new Client(server)]
  expect((await signInWithPassword(byPassword, username)).status).toBe(200)
  expect((await authenticate(unverified, authenticator, undefined, { flags: { uv: false } })).status).toBe(200)
  for (const by of [byPassword, unverified])
    for (const path of ['/api/admin/accounts/show', '/api/admin/log']) {
      const answer = await by.post(path, { id })
      expect([answer.status, answer.body.code]).toEqual([403, 'reauthentication_required'])
    }
})

test('reading takes no step-up, and changing takes one of a passkey that verified its user @promise', async ({
  server,
}) => {
  const { client } = await createAdministrator(server)
  const { id } = await createAccount(new Client(server))
  client.stepUp = undefined
  expect((await client.post('/api/admin/accounts/show', { id })).status).toBe(200)
  const refused = await client.post('/api/admin/accounts/disable', { id })
  expect([refused.status, refused.body.code]).toEqual([403, 'reauthentication_required'])
  const foreign = await client.post('/api/admin/accounts/show', { id }, { headers: { Origin: 'https://evil.example' } })
  expect([foreign.status, foreign.body.code]).toEqual([403, 'foreign_origin'])
})

test('admins takes only accounts with a passkey that has verified its user, ends their sessions, and voids what invite --admin printed before', async ({
  start,
}) => {
  const server = await start()
  const [{ url }] = (await accountsJson(server, 'invite', '--admin')).invitations
  const late = new Client(server)
  const authenticator = new Authenticator(server.origin)
  const given = { username: randomName(), invitation: invitationIn(url) }
  const options = await late.post('/api/auth/register/options', given)
  const { id } = await signUp(new Client(server))
  const refused = await accounts(server, 'group', 'add', 'admins', id)
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toContain('need a passkey')
  const person = new Client(server)
  const { id: joining } = await signUpWithPasskey(person, new Authenticator(server.origin))
  await accountsJson(server, 'disable', joining)
  expect((await accounts(server, 'group', 'add', 'admins', joining)).code).toBe(1)
  await accountsJson(server, 'enable', joining)
  expect((await accounts(server, 'group', 'add', 'admins', joining, id)).code).toBe(1)
  expect((await accountsJson(server, 'group', 'show', 'admins')).members).toEqual([])
  const another = await createAdministrator(server)
  await expectSignedOut(person)
  expect((await another.client.post('/api/admin/log', {})).status).toBe(200)
  const answer = await late.post('/api/auth/register/verify', authenticator.create(options.body))
  expectError(answer, 403, 'sign_up_closed')
  expect((await accountsJson(server, 'group', 'show', 'admins')).members).toHaveLength(1)
})

test('the last administrator who can sign in stays, whatever command would end it @promise', async ({ start }) => {
  const server = await start()
  const { id, client } = await createAdministrator(server)
  for (const words of [
    ['disable', id],
    ['delete', id, '--yes'],
    ['group', 'remove', 'admins', id],
    ['group', 'delete', 'admins', '--yes'],
  ]) {
    const { code, stdout, stderr } = await accounts(server, ...words)
    expect([code, stdout, stderr], words.join(' ')).toEqual([
      1,
      '',
      'There would be no administrator left who can sign in.\n',
    ])
  }
  expect((await client.post('/api/admin/log', {})).status).toBe(200)
  const other = await createAdministrator(server)
  await accountsJson(server, 'group', 'remove', 'admins', id)
  // Leaving acts at the next request.
  expect((await client.post('/api/admin/log', {})).status).toBe(404)
  expect((await accounts(server, 'disable', other.id)).code).toBe(1)
  // Who is no administrator may be disabled.
  await accountsJson(server, 'disable', id)
})

test('a password gives an administrator no further way in, so that it never becomes the administration @promise', async ({
  server,
}) => {
  const { client, authenticator, username } = await createAdministrator(server)
  expect((await client.post('/api/i/password', { password: PASSWORD })).status).toBe(200)
  const byPassword = new Client(server)
  expect((await signInWithPassword(byPassword, username)).status).toBe(200)
  const [passkey] = (await byPassword.post('/api/i')).body.passkeys
  const waysIn: [path: string, body?: object][] = [
    ['/api/auth/register/options', {}],
    ['/api/auth/register/options', { automatic: true }],
    ['/api/i/password', { password: `${PASSWORD} of a thief`, currentPassword: PASSWORD }],
    ['/api/i/recovery-codes'],
    ['/api/i/passkeys/remove', { id: passkey.id }],
  ]
  for (const [path, body] of waysIn) {
    const answer = await byPassword.post(path, body)
    expect([answer.status, answer.body.code], path).toEqual([403, 'reauthentication_required'])
  }
  expect((await authenticate(byPassword, authenticator)).status).toBe(200)
  expect((await byPassword.post('/api/auth/register/options', {})).status).toBe(200)
  expect((await byPassword.post('/api/i/recovery-codes')).status).toBe(201)
})

test('of two administrators who close each other out at once one always stays @storage', async ({ start }) => {
  const server = await start()
  const both = [await createAdministrator(server), await createAdministrator(server)] as const
  const [one, other] = both
  for (let round = 0; round < 6; round += 1) {
    const close = ({ client }: typeof one, { id }: typeof one) =>
      round % 2 === 0
        ? client.post('/api/admin/accounts/disable', { id })
        : client.post('/api/admin/groups/remove', { group: 'admins', accounts: [id] })
    const answers = await Promise.all([close(one, other), close(other, one)])
    const closed = answers.map(({ status }) => status === 200)
    expect(closed.filter(Boolean), `round ${round}: ${answers.map(({ text }) => text)}`).toHaveLength(1)
    const [stays, left] = closed[0] ? both : ([other, one] as const)
    const back =
      round % 2 === 0
        ? await stays.client.post('/api/admin/accounts/enable', { id: left.id })
        : await stays.client.post('/api/admin/groups/add', { group: 'admins', accounts: [left.id] })
    expect(back.status, back.text).toBe(200)
    expect((await authenticate(left.client, left.authenticator)).status).toBe(200)
  }
})

test('while no administrator can sign in, invite --admin makes one, with a passkey that verifies its user @promise', async ({
  start,
}) => {
  const server = await start({ env: { SIGN_UP: 'closed' } })
  const invite = async () => {
    const [invitation] = (await accountsJson(server, 'invite', '--admin')).invitations
    expect(Date.parse(invitation.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    return invitationIn(invitation.url)
  }
  const voided = await invite()
  const invitation = await invite()
  const username = randomName()
  const closed = await new Client(server).post('/api/auth/register/options', { username, invitation: voided })
  expectError(closed, 403, 'sign_up_closed')
  const withPassword = await new Client(server).post('/api/signup', { username, password: PASSWORD, invitation })
  expectError(withPassword, 409, 'passkey_required')

  const client = new Client(server)
  const authenticator = new Authenticator(server.origin)
  const options = await client.post('/api/auth/register/options', { username, invitation })
  expect(options.body.authenticatorSelection.userVerification).toBe('required')
  const unverified = await authenticator.create(options.body, { flags: { uv: false } })
  expect((await client.post('/api/auth/register/verify', unverified)).status).toBe(401)
  const again = await client.post('/api/auth/register/options', { username, invitation })
  expect((await client.post('/api/auth/register/verify', await authenticator.create(again.body))).status).toBe(201)
  const { log } = (await client.post('/api/admin/log', {})).body
  expect(log[0]).toMatchObject({ what: 'administrator_added', by: log[0].account })

  const { code, stdout, stderr } = await accounts(server, 'invite', '--admin')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('An administrator can sign in.')
})
