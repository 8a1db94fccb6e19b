import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { invitationIn, PASSWORD, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { eventsOf } from '../../support/events'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect } from '../../support/fixtures'
import { accounts, accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { takeLock } from '../../support/storage/database-lock'
import { executeSql } from '../../support/storage/sql'
import { accessTokenFor } from '../../support/tokens/access-tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import { accessCookieOf, askForwardAuth, forPage, test } from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

const randomGroup = () => `group-${randomBytes(6).toString('hex')}`

const ask = (server: Server, query: string, headers: Record<string, string>) => askForwardAuth(server, headers, query)

const invite = async (server: Server, ...groups: string[]): Promise<string> => {
  const { invitations } = await accountsJson(server, 'invite', ...groups.flatMap((group) => ['--group', group]))
  return invitationIn(invitations[0].url)
}

test.describe('commands for groups', () => {
  test('commands make, show, list, change and delete a group, and its members see it in their activity @storage', async ({
    server,
  }) => {
    const [one, two] = [new Client(server), new Client(server)]
    const [ada, ben] = [await signUp(one, `a-${randomName()}`), await signUp(two, `b-${randomName()}`)]
    const group = randomGroup()
    const made = await accounts(server, 'group', 'add', group, '--json')
    expect(JSON.parse(made.stdout)).toEqual({ group, members: [] })
    expect(logLines(made.stderr)).toEqual([expect.objectContaining({ event: 'group_added', method: 'operator' })])
    const added = await accounts(server, 'group', 'add', group, ben.username, `id:${ada.id}`, ada.username, '--json')
    expect(JSON.parse(added.stdout)).toEqual({ group, members: [ada.username, ben.username] })
    expect(logLines(added.stderr)).toMatchObject([
      { event: 'groups_changed', account: ben.id, method: 'operator' },
      { event: 'groups_changed', account: ada.id, method: 'operator' },
    ])
    expect(await accountsJson(server, 'group', 'show', group)).toEqual({ group, members: [ada.username, ben.username] })
    const { groups } = await accountsJson(server, 'group', 'list')
    expect(groups).toContainEqual({ name: group, members: 2 })
    expect((await accounts(server, 'group', 'list')).stdout).toMatch(new RegExp(`^${group} +2$`, 'm'))
    expect((await eventsOf(one, 'changes'))[0]).toMatchObject({ type: 'groups_changed', method: 'operator' })

    expect(await accountsJson(server, 'group', 'remove', group, ada.username)).toEqual({
      group,
      members: [ben.username],
    })
    expect((await expectSignedIn(one)).groups).toEqual([])
    expect((await expectSignedIn(two)).groups).toEqual([group])

    const unconfirmed = await accounts(server, 'group', 'delete', group)
    expect(unconfirmed).toMatchObject({ code: 1, stdout: '' })
    expect(unconfirmed.stderr).toContain('--yes')
    expect(unconfirmed.stderr).toContain(`${group}, which has 1 member?`)
    const deleted = await accounts(server, 'group', 'delete', group, '--yes', '--json')
    expect(JSON.parse(deleted.stdout)).toEqual({ group })
    expect(logLines(deleted.stderr)).toEqual([
      expect.objectContaining({ event: 'group_deleted', method: 'operator', count: 1 }),
      expect.objectContaining({ event: 'groups_changed', method: 'operator', account: ben.id }),
    ])
    expect((await expectSignedIn(two)).groups).toEqual([])
    const joinedAndLeft = [{ type: 'groups_changed', method: 'operator' }, { type: 'groups_changed' }]
    for (const client of [one, two])
      expect((await eventsOf(client, 'changes')).slice(0, 2)).toMatchObject(joinedAndLeft)
    expect(await accounts(server, 'group', 'show', group)).toMatchObject({ code: 1, stdout: '' })
  })

  test('a command for the members of a group changes nothing if one of the accounts is unknown', async ({ server }) => {
    const client = new Client(server)
    const { username } = await signUp(client)
    const group = randomGroup()
    expect(await accounts(server, 'group', 'add', group, username, 'nobody-at-all')).toMatchObject({
      code: 1,
      stdout: '',
    })
    expect((await accountsJson(server, 'group', 'list')).groups).not.toContainEqual(
      expect.objectContaining({ name: group }),
    )
    await accountsJson(server, 'group', 'add', group, username)
    expect(await accounts(server, 'group', 'remove', group, username, 'nobody-at-all')).toMatchObject({ code: 1 })
    expect((await expectSignedIn(client)).groups).toEqual([group])
    // A word that looks like an option is an account.
    expect(await accounts(server, 'group', 'remove', group, '--help')).toMatchObject({ code: 2, stdout: '' })
  })

  test('the name of a group is 1 to 64 of a-z, 0-9 and . _ -', async ({ server }) => {
    const longest = randomGroup().padEnd(64, '.-_0')
    expect(await accountsJson(server, 'group', 'add', longest)).toMatchObject({ group: longest })
    const wrong = ['', `${longest}x`, 'Family', 'a b', 'a,b', 'a\nb', 'a\r', 'a;b', 'a:b', 'fämily', 'a\u202eb', 'a/b']
    for (const name of wrong) {
      const { code, stdout, stderr } = await accounts(server, 'group', 'add', name)
      expect([code, stdout], JSON.stringify(name)).toEqual([1, ''])
      expect(stderr).toContain('1 to 64')
    }
    // What looks like an option makes no group, but names one that there is.
    expect(await accounts(server, 'group', 'add', '--help')).toMatchObject({ code: 2, stdout: '' })
    const hyphened = `--${randomGroup()}`
    executeSql(server.databaseUrl, `INSERT INTO "Group" ("name") VALUES ('${hyphened}')`)
    expect(await accountsJson(server, 'group', 'add', hyphened)).toMatchObject({ group: hyphened })
  })
})

test.describe('what apps learn of groups', () => {
  test('/api/i, an access token and forward-auth name the groups, sorted, from the next request on', async ({
    server,
  }) => {
    const client = new Client(server)
    const { username, token } = await signUp(client)
    const [one, two] = [randomGroup(), randomGroup()].sort() as [string, string]
    const bearer = { Authorization: `Bearer ${token}` }
    const cookie = accessCookieOf(client)
    const expectGroups = async (groups: string[]) => {
      expect((await expectSignedIn(client)).groups).toEqual(groups)
      expect(decodeJwt(await accessTokenFor(client, APP)).groups).toEqual(groups)
      for (const headers of [bearer, cookie])
        expect((await askForwardAuth(server, headers)).headers['remote-groups']).toBe(groups.join(','))
    }
    await expectGroups([])
    await accountsJson(server, 'group', 'add', two, username)
    await accountsJson(server, 'group', 'add', one, username)
    await expectGroups([one, two])
    await accountsJson(server, 'group', 'remove', two, username)
    await expectGroups([one])
    await accounts(server, 'group', 'delete', one, '--yes')
    await expectGroups([])
    // The cookie goes to every app of the domain, which need not learn the groups of its owner elsewhere.
    expect(decodeJwt(client.jar.get('__Secure-access') ?? '')).not.toHaveProperty('groups')
  })

  test('forward-auth admits the members of any group that it is asked for @promise', async ({ server }) => {
    const [member, other] = [new Client(server), new Client(server)]
    const { username } = await signUp(member)
    await signUp(other)
    const group = randomGroup()
    await accountsJson(server, 'group', 'add', group, username)
    const admitted = [`?group=${group}`, `?group=none&group=${group}`, `?group=${group}&group=none`, '']
    for (const query of admitted) expect((await ask(server, query, accessCookieOf(member))).status, query).toBe(200)
    for (const query of [`?group=${group}`, '?group=none', `?group=${group}&group=none`]) {
      const rejected = await ask(server, query, accessCookieOf(other))
      expectError(rejected, 403, 'not_allowed')
      for (const name of Object.keys(rejected.headers)) expect(name).not.toMatch(/^remote-|^location$/)
    }
    // Somebody who is not signed in is led to sign in.
    expectError(await ask(server, `?group=${group}`, {}), 401, 'not_signed_in')
    expect((await ask(server, `?group=${group}`, forPage(APP))).status).toBe(303)
  })

  test('forward-auth shows a browser without the group a page, in its language and without a name', async ({
    server,
  }) => {
    const client = new Client(server)
    const { username, id } = await signUp(client)
    const headers = { ...accessCookieOf(client), ...forPage(APP) }
    // The contract has the error as JSON.
    const browser = new Client(server, { undocumented: true, headers })
    const page = await browser.get('/api/forward-auth?group=none')
    expect(page.status).toBe(403)
    expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.text).toContain('You can&#39;t open this app')
    expect(page.text).toContain(`href="${server.origin}/profile"`)
    for (const secret of [username, id]) expect(page.text).not.toContain(secret)
    const german = await browser.get('/api/forward-auth?group=none', { headers: { 'Accept-Language': 'de-AT' } })
    expect(german.text).toContain('Kein Zugang zu dieser App')
  })

  test('forward-auth answers a malformed group, or a parameter that it does not know, with 403, whoever asks @promise', async ({
    server,
  }) => {
    const client = new Client(server)
    const { username } = await signUp(client)
    const group = randomGroup()
    await accountsJson(server, 'group', 'add', group, username)
    const malformed = [
      ...['?group', '?group=', `?group=${group.toUpperCase()}`, `?group=${group},none`, `?group=%20${group}`],
      ...[`?group=${group}%00`, `?group=${group}&group=`, `?group=&group=${group}`, `?group=${'a'.repeat(65)}`],
      ...[`?group=${group}%0d%0aRemote-Groups:admin`, '?group=%ff', '?group=*'],
      ...[`?groups=${group}`, `?Group=${group}`, `?group=${group}&next=/`],
    ]
    for (const query of malformed) {
      expectError(await ask(server, query, accessCookieOf(client)), 403, 'not_allowed')
      expectError(await ask(server, query, {}), 403, 'not_allowed')
    }
  })
})

/** A member of a new group, and somebody invited to it whose registration only has to be sent. */
async function invitedBesideMember(server: Server, username: string) {
  const [client, registering] = [new Client(server), new Client(server)]
  const member = await signUp(client)
  const group = randomGroup()
  await accountsJson(server, 'group', 'add', group, member.username)
  const invitation = await invite(server, group)
  const { body } = await registering.post('/api/auth/register/options', { username, invitation })
  return { group, client, id: member.id, registering, created: new Authenticator(server.origin).create(body) }
}

test.describe('invitations to a group', () => {
  const signUpWith = (server: Server, invitation: string, username = randomName()) =>
    new Client(server).post('/api/signup', { username, password: PASSWORD, invitation })
  const groupsOf = async (server: Server, token: string) =>
    (await expectSignedIn(new Client(server, { bearer: token }))).groups

  test('an invitation to a group creates an account in it, with a password or a passkey, and is consumed although sign-up is open', async ({
    server,
  }) => {
    const group = randomGroup()
    await accountsJson(server, 'group', 'add', group)
    const first = await invite(server, group)
    const made = await signUpWith(server, first)
    expect(made.status).toBe(201)
    expect(await groupsOf(server, made.body.token)).toEqual([group])
    expectError(await signUpWith(server, first), 403, 'sign_up_closed')

    const client = new Client(server)
    const second = await invite(server, group)
    const authenticator = new Authenticator(server.origin)
    const { body } = await client.post('/api/auth/register/options', { username: randomName(), invitation: second })
    const registered = await client.post('/api/auth/register/verify', authenticator.create(body))
    expect(registered.status).toBe(201)
    expect((await expectSignedIn(client)).groups).toEqual([group])
    expectError(await signUpWith(server, second), 403, 'sign_up_closed')
  })

  test('an invitation to a group that has been deleted creates an account without it, also between the two steps of a registration', async ({
    server,
  }) => {
    const group = randomGroup()
    await accountsJson(server, 'group', 'add', group)
    const [one, two] = [await invite(server, group), await invite(server, group)]
    const client = new Client(server)
    const authenticator = new Authenticator(server.origin)
    const { body } = await client.post('/api/auth/register/options', { username: randomName(), invitation: two })
    await accounts(server, 'group', 'delete', group, '--yes')
    const made = await signUpWith(server, one)
    expect(made.status).toBe(201)
    expect(await groupsOf(server, made.body.token)).toEqual([])
    expect((await client.post('/api/auth/register/verify', authenticator.create(body))).status).toBe(201)
    expect((await expectSignedIn(client)).groups).toEqual([])
  })

  test('on PostgreSQL, a group is deleted although that takes longer than requests may', { tag: '@networked' }, async ({
    server,
  }) => {
    const group = randomGroup()
    await accounts(server, 'group', 'add', group)
    executeSql(
      server.databaseUrl,
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5.5); RETURN OLD; END $$;
       CREATE TRIGGER slow BEFORE DELETE ON "Group" FOR EACH ROW WHEN (OLD."name" = '${group}') EXECUTE FUNCTION slow()`,
    )
    const deleted = await accounts(server, 'group', 'delete', group, '--yes')
    expect(deleted.code, deleted.stderr).toBe(0)
  })

  test('on PostgreSQL, an invited sign-up waits while its group is being deleted, and joins none', {
    tag: '@networked',
  }, async ({ server }) => {
    const { group, id, registering, created } = await invitedBesideMember(server, randomName())
    // Deleting has locked the group, and waits for its member.
    const held = await takeLock(server.databaseUrl, `SELECT 1 FROM "User" WHERE "id" = '${id}' FOR UPDATE`)
    const deleting = accounts(server, 'group', 'delete', group, '--yes')
    await held.untilWaiting(1)
    const registration = registering.post('/api/auth/register/verify', created)
    await held.untilWaiting(2)
    await held.release()
    expect((await deleting).code).toBe(0)
    expect((await registration).status).toBe(201)
    expect((await expectSignedIn(registering)).groups).toEqual([])
  })

  test("on PostgreSQL, an invited sign-up, the deletion of its group and a member's rename to its username do not deadlock", {
    tag: '@networked',
  }, async ({ server }) => {
    const wanted = randomName()
    const { group, client, id, registering, created } = await invitedBesideMember(server, wanted)
    // Each has begun when the others go on.
    const heldGroup = await takeLock(server.databaseUrl, `SELECT 1 FROM "Group" WHERE "name" = '${group}' FOR UPDATE`)
    const deleting = accounts(server, 'group', 'delete', group, '--yes')
    await heldGroup.untilWaiting(1)
    const heldUser = await takeLock(server.databaseUrl, `SELECT 1 FROM "User" WHERE "id" = '${id}' FOR UPDATE`)
    const renaming = client.post('/api/i/username', { username: wanted })
    await heldUser.untilWaiting(2)
    const registration = registering.post('/api/auth/register/verify', created)
    await heldUser.untilWaiting(3)
    await heldGroup.release()
    await heldUser.release()
    expect((await deleting).code).toBe(0)
    // Which of the two gets the name is the database's choice.
    const [renamed, registered] = await Promise.all([renaming, registration])
    const lost = renamed.status === 200 ? registered : renamed
    expect([renamed.status, registered.status].sort()).toEqual(renamed.status === 200 ? [200, 409] : [201, 409])
    expectError(lost, 409, 'username_taken')
  })

  test('an invitation is made only for groups that exist, and may name one that begins with a hyphen, as may an app', async ({
    server,
  }) => {
    const group = `-${randomGroup()}`
    const { code, stdout, stderr } = await accounts(server, 'invite', '--group', group)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`There is no group “${group}”`)
    await accountsJson(server, 'group', 'add', group)
    expect((await accountsJson(server, 'invite', '--group', group)).invitations).toHaveLength(1)
    const { app } = await accountsJson(server, 'app', 'add', group, 'https://app.example.com/', '--group', group)
    expect(app).toMatchObject({ name: group, groups: [group] })
  })
})
