import { randomBytes } from 'node:crypto'
import { changeDisplayName, changeUsername, invitationIn, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect } from '../../support/fixtures'
import type { Received } from '../../support/network/receiver'
import { command, newSecret, test, verify } from '../../support/network/webhooks'
import { readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const sorted = (ids: string[]) => [...ids].sort()

test.describe('what a receiver is told', () => {
  test('a receiver is told that an account was created, named, renamed and deleted by its owner, and once of two equal changes at once @storage @promise', async ({
    hooked,
  }) => {
    const client = new Client(hooked.server)
    const { id, username } = await signUp(client)
    const [displayName, next] = ['Ada "Byte" \\o/ Ë', randomName()]
    for (const change of [() => changeDisplayName(client, displayName), () => changeUsername(client, next)]) {
      const answers = await Promise.all([change(), change()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    }
    expect((await client.post('/api/i/delete')).status).toBe(204)
    const hooks = await hooked.about(id, 4)
    expect(hooks.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'account.created', data: { id, username, displayName: null, email: null, groups: [] } },
      { type: 'account.changed', data: { id, username, displayName } },
      { type: 'account.renamed', data: { id, username: next, previousUsername: username } },
      { type: 'account.deleted', data: { id, username: next } },
    ])
    expect(new Set(hooks.map((hook) => hook.id)).size).toBe(4)
    for (const { timestamp } of hooks) expect(new Date(timestamp).toISOString()).toBe(timestamp)
  })

  test('a receiver is told what commands change, and only what they change @storage', async ({ hooked }) => {
    const { id, username } = await signUp(new Client(hooked.server))
    const address = `${username.toLowerCase()}@example.com`
    const next = randomName()
    for (const words of [
      ['disable', username],
      ['disable', username],
      ['enable', username],
      ['email', username, address],
      ['email', username, address],
      ['email', username, '--remove'],
      ['name', username, 'Ada'],
      ['name', username, 'Ada'],
      ['name', username, '--remove'],
      ['rename', username, next],
      ['rename', next, next],
      ['delete', next, '--yes'],
    ])
      await command(hooked, words)
    const hooks = await hooked.about(id, 9)
    expect(hooks.map(({ type, data: { id, ...data } }) => [type, data])).toEqual([
      ['account.created', { username, displayName: null, email: null, groups: [] }],
      ['account.disabled', { username }],
      ['account.enabled', { username }],
      ['email.changed', { username, email: address }],
      ['email.changed', { username, email: null }],
      ['account.changed', { username, displayName: 'Ada' }],
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

  test('a receiver is told of an account that an invitation leads into a group with a passkey', async ({ hooked }) => {
    const group = randomBytes(6).toString('hex')
    await command(hooked, ['group', 'add', group])
    const { stdout } = await command(hooked, ['invite', '--group', group, '--json'])
    const invitation = invitationIn(JSON.parse(stdout).invitations[0].url)
    const client = new Client(hooked.server)
    const named = { username: randomName(), invitation }
    const { body: options } = await client.post('/api/auth/register/options', named)
    const created = new Authenticator(hooked.server.origin).create(options)
    const { id } = (await client.post('/api/auth/register/verify', created)).body.user
    expect(await hooked.about(id, 1)).toMatchObject([{ type: 'account.created', data: { groups: [group] } }])
  })

  test('a receiver is told of each imported account, once @storage', async ({ hooked }) => {
    const names = Array.from({ length: 30 }, () => randomName())
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

test('both secrets sign while one is replaced', async ({ hooked }) => {
  const { id } = await signUp(new Client(hooked.server))
  await hooked.about(id, 1)
  const one = hooked.receiver.received.find(({ body }) => body.includes(id)) as Received
  const secrets = hooked.env.WEBHOOK_SECRET?.split(', ') ?? []
  expect(secrets).toHaveLength(2)
  for (const secret of secrets) expect(verify(secret, one).data.id).toBe(id)
  expect(() => verify(newSecret(), one)).toThrow('No matching signature found')
})

test('a server without a receiver keeps nothing', async ({ server, client }) => {
  const { id } = await signUp(client)
  expect(readSql(server.databaseUrl, `SELECT COUNT(*) FROM "Delivery" WHERE "account" = '${id}'`)).toEqual(['0'])
  expectError(await client.post('/api/deliver'), 404, 'not_found')
})
