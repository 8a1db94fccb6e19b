import { changeUsername, PASSWORD, randomName, signUp } from '../../support/accounts'
import type { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'
import { accounts, accountsJson, accountsProcess } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { readSql } from '../../support/storage/sql'

const randomAddress = () => `${randomName()}@example.com`

const addressOf = async (client: Client) => (await expectSignedIn(client)).email

/** An address that the command rejects, and why. */
async function expectRejected(server: Server, account: string, address: string, sentence: string) {
  const { code, stdout, stderr } = await accounts(server, 'email', account, address)
  expect([code, stdout], JSON.stringify(address)).toEqual([1, ''])
  expect(stderr, JSON.stringify(address)).toContain(sentence)
  expect(stderr).not.toContain('ben@')
}

test('accounts email sets an address, changes and removes it, and shows it to its owner and the operator', async ({
  server,
  client,
}) => {
  const { id, username } = await signUp(client)
  expect(await addressOf(client)).toBeNull()
  const [first, second] = [randomAddress(), randomAddress()]
  const set = await accounts(server, 'email', username, first, '--json')
  expect(JSON.parse(set.stdout)).toEqual({ user: { id, username, displayName: null, createdAt: expect.any(String) } })
  // Never logged.
  expect(logLines(set.stderr)).toEqual([
    expect.objectContaining({ event: 'email_changed', account: id, method: 'operator' }),
  ])
  expect(set.stderr).not.toContain(first)
  expect(await addressOf(client)).toBe(first)
  expect((await eventsOf(client, 'changes'))[0]).toMatchObject({ type: 'email_changed', method: 'operator' })
  // The owner is asked about their own changes alone.
  expect((await client.post('/api/i/notices')).body).toEqual({ events: [] })
  await accountsJson(server, 'email', username, second)
  expect(await addressOf(client)).toBe(second)
  for (const command of ['show', 'export'])
    expect(await accountsJson(server, command, username)).toMatchObject({ email: second })
  expect((await accounts(server, 'show', username)).stdout).toContain(`email           ${second}`)
  await accountsJson(server, 'email', username, '--remove')
  expect(await addressOf(client)).toBeNull()
  expect(server.output()).not.toContain(second)
})

test('accounts email takes one address or --remove, and records an event only if the address changes', async ({
  server,
  client,
}) => {
  const { username } = await signUp(client)
  const address = randomAddress()
  for (const words of [[], [address, '--remove']])
    expect(await accounts(server, 'email', username, ...words)).toMatchObject({ code: 2, stdout: '' })
  for (const wrong of ['ada@example.com,ben@example.com', 'ada@example.com\r\nBcc: ben@example.com', 'a\u202e@x.org'])
    await expectRejected(server, username, wrong, 'Enter one email address')
  expect(await addressOf(client)).toBeNull()
  const lines = []
  for (const words of [['--remove'], [address], [address], ['--remove'], ['--remove']])
    lines.push(logLines((await accounts(server, 'email', username, ...words)).stderr).length)
  expect(lines).toEqual([0, 1, 0, 1, 0])
  const events = await eventsOf(client, 'changes')
  expect(events.filter(({ type }) => type === 'email_changed')).toHaveLength(2)
})

test.describe('email addresses and usernames, which are one key', () => {
  test("an email address that an account has is rejected, in any case, as another's address and as anybody's username", async ({
    server,
    client,
    another,
  }) => {
    const { username } = await signUp(client)
    const other = another()
    const { username: theirs } = await signUp(other)
    const address = randomAddress()
    await accountsJson(server, 'email', username, address)
    for (const same of [address, address.toUpperCase()]) {
      await expectRejected(server, theirs, same, "another account's address or username")
      expectError(await another().post('/api/signup', { username: same, password: PASSWORD }), 409, 'username_taken')
      expectError(await another().post('/api/auth/register/options', { username: same }), 409, 'username_taken')
      expectError(await changeUsername(other, same), 409, 'username_taken')
      expect((await accounts(server, 'rename', theirs, same)).stderr).toContain('This username is taken.')
    }
    // Nor is another's username, present or former, anybody's address.
    const [former, current] = [randomAddress(), randomAddress()]
    const owner = another()
    await signUp(owner, former)
    expect((await changeUsername(owner, current)).status).toBe(200)
    for (const taken of [former, current, current.toUpperCase()])
      await expectRejected(server, theirs, taken, "another account's address or username")
    expect(await addressOf(other)).toBeNull()
    // It signs nobody in.
    expectError(
      await another().post('/api/signin', { username: address, password: PASSWORD }),
      401,
      'authentication_failed',
    )
  })

  test('an account may have the same name as its email address, its username and a former username', async ({
    server,
    client,
    another,
  }) => {
    const same = randomAddress()
    const { id } = await signUp(client, same)
    await accountsJson(server, 'email', id, same)
    expect((await changeUsername(client, randomName())).status).toBe(200)
    await accountsJson(server, 'email', id, '--remove')
    expectError(await another().post('/api/signup', { username: same, password: PASSWORD }), 409, 'username_taken')
    expect((await changeUsername(client, same)).status).toBe(200)
  })

  test('of accounts that claim one name as address and as username at once, exactly one gets it @storage', async ({
    server,
    another,
  }) => {
    const address = randomAddress()
    const people = Array.from({ length: 3 }, () => another())
    const made: Awaited<ReturnType<typeof signUp>>[] = []
    for (const person of people) made.push(await signUp(person))
    const [first, second] = made.map(({ id }) => id) as [string, string]
    const [commands, answers] = await Promise.all([
      Promise.all([first, second].map((id) => accountsProcess(server, 'email', id, address))),
      // About as long as a command needs to start.
      Promise.all([
        people[2]?.post('/api/i/username', { username: address }),
        ...Array.from({ length: 3 }, () => another().post('/api/signup', { username: address, password: PASSWORD })),
      ]),
    ])
    const won =
      commands.filter(({ code }) => code === 0).length + answers.filter((one) => Number(one?.status) < 300).length
    expect(won).toBe(1)
    const url = server.databaseUrl
    const holders = `SELECT COUNT(*) FROM "User" WHERE lower("email") = '${address}' OR "usernameKey" = '${address}'`
    expect(readSql(url, holders)).toEqual(['1'])
  })
})

test('an address is free again when it is removed and when its account is deleted', async ({
  server,
  client,
  another,
}) => {
  const { id } = await signUp(client)
  const other = another()
  const { id: otherId } = await signUp(other)
  const address = randomAddress()
  await accountsJson(server, 'email', id, address)
  await accountsJson(server, 'email', id, '--remove')
  await accountsJson(server, 'email', otherId, address)
  expect(await addressOf(other)).toBe(address)
  expect((await other.post('/api/i/delete')).status).toBe(204)
  await accountsJson(server, 'email', id, address)
  expect(await addressOf(client)).toBe(address)
})

test('import takes an address only where the other product had verified it', async ({ server, client }) => {
  const { username: existing } = await signUp(client)
  const taken = randomAddress()
  await accountsJson(server, 'email', existing, taken)
  const [verified, unverified, silent, clash, named, bad] = Array.from({ length: 6 }, randomName) as string[]
  const address = randomAddress()
  const { code, answer } = await importRows(server, [
    { username: verified, email: address.toUpperCase(), emailVerified: true },
    { username: unverified, email: randomAddress(), emailVerified: false },
    { username: silent, email: 'no address at all' },
    { username: clash, email: taken, emailVerified: true },
    { username: taken },
    { username: named, email: existing.replace('user', 'nobody'), emailVerified: true },
    { username: bad, email: 'a@x.org,b@x.org', emailVerified: true },
  ])
  expect(code).toBe(1)
  expect(answer).toEqual({
    created: 3,
    existing: 0,
    dearer: 0,
    weak: 0,
    refused: [
      { line: 4, reason: 'email: is the e-mail address or a username of another account' },
      { line: 5, reason: 'username: is the e-mail address of another account' },
      { line: 6, reason: 'email: is not an e-mail address of at most 254 characters' },
      { line: 7, reason: 'email: is not an e-mail address of at most 254 characters' },
    ],
  })
  const emailOf = async (name = '') => (await accountsJson(server, 'show', name)).email
  expect(await emailOf(verified)).toBe(address.replace(/.*@/, (local) => local.toUpperCase()))
  for (const name of [unverified, silent]) expect(await emailOf(name)).toBeNull()
})
