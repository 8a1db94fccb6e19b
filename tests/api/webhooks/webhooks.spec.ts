import { randomBytes } from 'node:crypto'
import { changeUsername, invitationIn, randomName, signUp, signUpWithPasskey } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect } from '../../support/fixtures'
import { startReceiver } from '../../support/network/receiver'
import { command, newSecret, test, verify } from '../../support/network/webhooks'
import { readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const sorted = (ids: string[]) => [...ids].sort()

test.describe('what a receiver is told', () => {
  test('a receiver is told that an account was created, renamed and deleted by its owner @promise', async ({
    hooked,
  }) => {
    const client = new Client(hooked.server)
    const { id, username } = await signUp(client)
    const next = randomName()
    expect((await changeUsername(client, next)).status).toBe(200)
    expect((await client.post('/api/i/delete')).status).toBe(204)
    const hooks = await hooked.about(id, 3)
    expect(hooks.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'account.created', data: { id, username, displayName: null, email: null, groups: [] } },
      { type: 'account.renamed', data: { id, username: next, previousUsername: username } },
      { type: 'account.deleted', data: { id, username: next } },
    ])
    expect(new Set(hooks.map((hook) => hook.id)).size).toBe(3)
    for (const { timestamp } of hooks) expect(new Date(timestamp).toISOString()).toBe(timestamp)
  })

  test('a receiver is told once of two equal changes of a username at once @storage', async ({ hooked }) => {
    const client = new Client(hooked.server)
    const { id, username } = await signUp(client)
    const next = randomName()
    const answers = await Promise.all([0, 1].map(() => changeUsername(client, next)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await client.post('/api/i/delete')).status).toBe(204)
    expect(await hooked.about(id, 3)).toMatchObject([
      { type: 'account.created' },
      { type: 'account.renamed', data: { username: next, previousUsername: username } },
      { type: 'account.deleted' },
    ])
  })

  test('a receiver is told of an account with a passkey', async ({ hooked }) => {
    const { id, username } = await signUpWithPasskey(new Client(hooked.server), new Authenticator(hooked.server.origin))
    expect(await hooked.about(id, 1)).toMatchObject([{ type: 'account.created', data: { id, username } }])
  })

  test('a receiver is told what commands change, and only what they change @storage', async ({ hooked }) => {
    const { id, username } = await signUp(new Client(hooked.server))
    const address = `${username.toLowerCase()}@example.com`
    const next = randomName()
    for (const words of [
      ...[
        ['disable', username],
        ['disable', username],
        ['enable', username],
        ['enable', username],
      ],
      ...[
        ['email', username, address],
        ['email', username, address],
        ['email', username, '--remove'],
      ],
      ...[
        ['name', username, 'Ada "Byte" \\o/'],
        ['name', username, 'Ada "Byte" \\o/'],
        ['name', username, '--remove'],
        ['rename', username, next],
        ['rename', next, next],
        ['delete', next, '--yes'],
      ],
    ])
      await command(hooked, words)
    const hooks = await hooked.about(id, 9)
    expect(hooks.map(({ type, data: { id, ...data } }) => [type, data])).toEqual([
      ['account.created', { username, displayName: null, email: null, groups: [] }],
      ['account.disabled', { username }],
      ['account.enabled', { username }],
      ['email.changed', { username, email: address }],
      ['email.changed', { username, email: null }],
      ['account.changed', { username, displayName: 'Ada "Byte" \\o/' }],
      ['account.changed', { username, displayName: null }],
      ['account.renamed', { username: next, previousUsername: username }],
      ['account.deleted', { username: next }],
    ])
  })

  test('a receiver is told which groups an account is in after each change @storage', async ({ hooked }) => {
    const [{ id, username }, other] = [await signUp(new Client(hooked.server)), await signUp(new Client(hooked.server))]
    const prefix = randomBytes(6).toString('hex')
    const [a, b] = [`${prefix}.a`, `${prefix}-b`]
    await command(hooked, ['group', 'add', b, username])
    await command(hooked, ['group', 'add', a, username, other.username])
    await command(hooked, ['group', 'add', a, username])
    await command(hooked, ['group', 'remove', b, username, other.username])
    await command(hooked, ['group', 'delete', a, '--yes'])
    const groupsOf = async (account: string, count: number) =>
      (await hooked.about(account, count))
        .filter(({ type }) => type === 'groups.changed')
        .map(({ data }) => data.groups)
    expect(await groupsOf(id, 5)).toEqual([[b], [b, a].sort(), [a], []])
    expect(await groupsOf(other.id, 3)).toEqual([[a], []])
  })

  test('a receiver is told of the groups that an invitation leads into @storage', async ({ hooked }) => {
    const group = randomBytes(6).toString('hex')
    await command(hooked, ['group', 'add', group])
    const { stdout } = await command(hooked, ['invite', '--group', group, '--json'])
    const [{ url }] = JSON.parse(stdout).invitations
    const invitation = invitationIn(url)
    const answer = await new Client(hooked.server).post('/api/signup', {
      username: randomName(),
      password: 'correct horse battery staple',
      invitation,
    })
    const { id } = answer.body.user
    expect(await hooked.about(id, 1)).toMatchObject([{ type: 'account.created', data: { groups: [group] } }])
  })

  test('a receiver is told of each imported account, once @storage', async ({ hooked }) => {
    const names = Array.from({ length: 120 }, () => randomName())
    const displayName = 'Ada "Byte" \\o/'
    const lines = names.map((username, n) =>
      JSON.stringify({
        username,
        ...(n === 0 && { email: `${username}@example.org`, emailVerified: true, displayName }),
      }),
    )
    await command(hooked, ['import', '-'], lines.join('\n'))
    const find = () =>
      hooked.receiver.received
        .map((one) => verify(hooked.secret, one))
        .filter(({ type, data }) => type === 'account.created' && names.includes(data.username))
    await expect.poll(() => find().length).toBe(names.length)
    expect(sorted(find().map(({ data }) => data.username))).toEqual(sorted(names))
    const first = find().find(({ data }) => data.username === names[0])
    expect(first?.data).toMatchObject({ displayName, email: `${names[0]}@example.org`, groups: [] })
  })

  test('a receiver is told nothing of a sign-up that fails', async ({ hooked }) => {
    const { username } = await signUp(new Client(hooked.server))
    const password = 'correct horse battery staple'
    expectError(await new Client(hooked.server).post('/api/signup', { username, password }), 409, 'username_taken')
    const marker = await signUp(new Client(hooked.server))
    await hooked.about(marker.id, 1)
    // By the name: the account that failed would have had an id of its own.
    const hooks = hooked.receiver.received.map((one) => verify(hooked.secret, one))
    expect(hooks.filter(({ data }) => data.username === username)).toHaveLength(1)
  })
})

test('both secrets sign while one is replaced', async ({ start }) => {
  const receiver = await startReceiver()
  const secrets = [newSecret(), newSecret()]
  const env = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: secrets.join(', ') }
  const server = await start({ env })
  const { id } = await signUp(new Client(server))
  const [one] = await receiver.until(1)
  for (const secret of secrets) expect(verify(secret, one as never).data.id).toBe(id)
  expect(() => verify(newSecret(), one as never)).toThrow('No matching signature found')
  await receiver.stop()
})

test('a server without a receiver keeps nothing', async ({ server, client }) => {
  const { id } = await signUp(client)
  expect(readSql(server.databaseUrl, `SELECT COUNT(*) FROM "Delivery" WHERE "account" = '${id}'`)).toEqual(['0'])
  expectError(await client.post('/api/deliver'), 404, 'not_found')
})
