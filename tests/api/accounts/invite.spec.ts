import { decodeJwt } from 'jose'
import { authenticate, invitationIn, PASSWORD, randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { accountsJson, accountsWith } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { Authenticator } from '../../support/webauthn/authenticator'

const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: { SIGN_UP: 'invited' } })),
})

const invite = (server: Server, ...words: string[]) =>
  accountsWith({ ...settingsOf(server), SIGN_UP: 'invited', APP_ORIGIN: `${server.origin},http://b.localhost` }, [
    'invite',
    ...words,
  ])

interface Invitation {
  url: string
  expiresAt: string
}

/** @returns the status of a sign-up with the invitation in this address */
async function signUpAt(server: Server, url: string) {
  const { origin, pathname, search } = new URL(url)
  // Behind the #, which no request carries.
  expect([origin, pathname, search]).toEqual([server.origin, '/signup', ''])
  const invitation = invitationIn(url)
  return new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD, invitation })
}

/** An administrator who came in by an invitation, and has just shown a passkey. */
async function administrator(server: Server) {
  const { url } = JSON.parse((await invite(server, '--json')).stdout).invitations[0]
  const client = new Client(server)
  const authenticator = new Authenticator(server.origin)
  const named = { username: randomName(), invitation: invitationIn(url) }
  const { body: options } = await client.post('/api/auth/register/options', named)
  const { id } = (await client.post('/api/auth/register/verify', authenticator.create(options))).body.user
  await accountsJson(server, 'group', 'add', 'admins', `id:${id}`)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  return { client, id: id as string }
}

test('invite prints addresses that are good for one account each', async ({ server }) => {
  const { code, stdout, stderr } = await invite(server, '--count', '3', '--expires', '2h', '--json')
  expect(code).toBe(0)
  expect(logLines(stderr)).toMatchObject([{ event: 'invitation_made', method: 'operator', count: 3 }])
  const { invitations, ...rest } = JSON.parse(stdout) as { invitations: Invitation[] }
  expect(rest).toEqual({})
  expect(invitations).toHaveLength(3)
  for (const { url, expiresAt } of invitations) {
    expect(new Date(expiresAt).toISOString()).toBe(expiresAt)
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000)
    expect((await signUpAt(server, url)).status).toBe(201)
    expectError(await signUpAt(server, url), 403, 'sign_up_closed')
  }
})

test('invite without options prints one address that is good for a week, and exits 2 for more than 90 days, 10,000 invitations or none', async ({
  server,
}) => {
  const { code, stdout } = await invite(server)
  expect(code).toBe(0)
  const [url = '', ...rest] = stdout.split('\n')
  expect(rest).toEqual([''])
  const { iat, exp, sub } = decodeJwt(invitationIn(url))
  expect([Number(exp) - Number(iat), sub]).toEqual([7 * 86_400, undefined])
  expect((await signUpAt(server, url)).status).toBe(201)
  expect((await invite(server, '--expires', '90d')).code).toBe(0)
  const wrong = [
    ['--expires', '91d'],
    ['--expires', '0s'],
    ['--expires', '7'],
    ['--count', '0'],
    ['--count', '10001'],
    ['ada'],
  ]
  for (const words of wrong)
    expect(await invite(server, ...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' })
})

/** The statuses of the tries to sign up with these invitations. */
const statusesOf = (server: Server, invitations: { url: string }[]) =>
  Promise.all(invitations.map(async ({ url }) => (await signUpAt(server, url)).status))

test("an administrator makes, lists and withdraws invitations, which the operators' log tells", async ({ server }) => {
  const { client, id: by } = await administrator(server)
  const group = `g${randomName().slice(-12)}`
  await accountsJson(server, 'group', 'add', group)
  const made = await client.post('/api/admin/invitations/add', {
    count: 3,
    expires: '2h',
    groups: [group, group],
    note: ' For Ada “Byte” ',
  })
  expect(made.status, made.text).toBe(201)
  const links = made.body.invitations as (Invitation & { id: string })[]
  const [first, second, third] = links.map(({ id }) => id)
  const own = async () => {
    const { body } = await client.post('/api/admin/invitations', { limit: 200 })
    return (body.invitations as { by: string; id: string }[]).filter((one) => one.by === by)
  }
  const { expiresAt } = links[0] as Invitation
  const common = { note: 'For Ada “Byte”', groups: [group], createdAt: expect.any(String), expiresAt, by }
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? 1 : -1)
  expect(await own()).toEqual(links.map(({ id }) => ({ id, ...common })).sort(byId))
  expect(JSON.stringify(decodeJwt(invitationIn(links[0]?.url ?? '')))).not.toContain('Ada')

  expect((await client.post('/api/admin/invitations/withdraw', { id: first })).status).toBe(204)
  expectError(await client.post('/api/admin/invitations/withdraw', { id: first }), 404, 'not_found')
  expect(await statusesOf(server, links.slice(0, 2))).toEqual([403, 201])
  expect((await accountsJson(server, 'group', 'show', group)).members).toHaveLength(1)
  // What was used is no longer there, either.
  expectError(await client.post('/api/admin/invitations/withdraw', { id: second }), 404, 'not_found')
  expect(await own()).toEqual([{ id: third, ...common }])
  const { log } = (await client.post('/api/admin/log', { by })).body
  expect(log.map(({ what, group }: { what: string; group: string | null }) => [what, group])).toEqual([
    ['invitation_withdrawn', null],
    ['invitation_made', group],
  ])
})

test('wrong invitations are refused with a sentence about the field, and nothing is made @promise', async ({
  server,
}) => {
  const { client, id: by } = await administrator(server)
  const wrong: [body: object, field: string, sentence: RegExp][] = [
    [{ groups: ['no-such-group'] }, 'groups', /^There is no group “no-such-group”\.$/],
    [{ groups: ['admins'] }, 'groups', /administrators/],
    [{ groups: 'staff' }, 'groups', /\S/],
    [{ expires: '91d' }, 'expires', /at most 90d/],
    [{ expires: 'soon' }, 'expires', /such as 7d/],
    [{ expires: 7 }, 'expires', /\S/],
    [{ count: 0 }, 'count', /\S/],
    [{ count: 10_001 }, 'count', /\S/],
    [{ note: 'a'.repeat(201) }, 'note', /at most 200/],
    [{ note: '\u202eadA' }, 'note', /control/],
    [{ mail: 'ada@example.com' }, 'mail', /\S/],
  ]
  for (const [body, field, sentence] of wrong) {
    const answer = await client.post('/api/admin/invitations/add', body)
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.fields, JSON.stringify(body)).toEqual({ [field]: expect.stringMatching(sentence) })
  }
  for (const body of [{ limit: 0 }, { limit: 201 }, { after: 'x' }])
    expectError(await client.post('/api/admin/invitations', body), 400, 'invalid_request')
  const { log, after } = (await client.post('/api/admin/log', { limit: 1 })).body
  expect(log).toHaveLength(1)
  if (after !== null) expectError(await client.post('/api/admin/invitations', { after }), 400, 'invalid_request')
  expect((await client.post('/api/admin/log', { by })).body.log).toEqual([])
})

test('a key for invitations makes them, into groups only with the area of groups, and they end with its maker', async ({
  server,
}) => {
  const [staying, leaving] = [await administrator(server), await administrator(server)]
  const group = `g${randomName().slice(-12)}`
  await accountsJson(server, 'group', 'add', group)
  const add = async (areas: string[], body: object) => {
    const key = { name: randomName(), areas }
    const bearer = (await leaving.client.post('/api/admin/keys/add', key)).body.secret
    return new Client(server, { bearer }).post('/api/admin/invitations/add', body)
  }
  expectError(await add(['invitations'], { groups: [group] }), 403, 'not_allowed')
  const made = [await add(['invitations'], {}), await add(['invitations', 'groups'], { groups: [group] })]
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  await accountsJson(server, 'group', 'remove', 'admins', `id:${leaving.id}`)
  const invitations = made.map(({ body }) => body.invitations[0])
  expect(await statusesOf(server, invitations)).toEqual([403, 403])
  expect((await staying.client.post('/api/admin/invitations', {})).status).toBe(200)
})

test('invite list has pages, and invite withdraw ends the one that it names', async ({ server }) => {
  const { invitations: made } = JSON.parse((await invite(server, '--count', '2', '--note', 'For Ben', '--json')).stdout)
  const first = JSON.parse((await invite(server, 'list', '--limit', '1', '--json')).stdout)
  expect(first).toMatchObject({ invitations: [expect.anything()], after: expect.any(String) })
  const second = JSON.parse((await invite(server, 'list', '--limit', '1', '--after', first.after, '--json')).stdout)
  expect(second.invitations[0].id).not.toBe(first.invitations[0].id)
  expect((await invite(server, 'list')).stdout).toMatch(new RegExp(`^${made[0].id} .* a command +For Ben$`, 'm'))
  const withdrawn = await invite(server, 'withdraw', made[0].id, '--json')
  expect(withdrawn).toMatchObject({ code: 0, stdout: `{"id":"${made[0].id}"}\n` })
  const again = await invite(server, 'withdraw', made[0].id)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('There is no invitation')
  expect(await statusesOf(server, made)).toEqual([403, 201])
})

test('of a withdrawal and a sign-up at once, one wins @storage', async ({ server }) => {
  const { client } = await administrator(server)
  const { invitations } = (await client.post('/api/admin/invitations/add', { count: 6 })).body
  const registering = await Promise.all(
    invitations.map(async ({ url }: Invitation) => {
      const person = new Client(server)
      const named = { username: randomName(), invitation: invitationIn(url) }
      const { body } = await person.post('/api/auth/register/options', named)
      return () => person.post('/api/auth/register/verify', new Authenticator(server.origin).create(body))
    }),
  )
  const pairs = await Promise.all(
    invitations.map(async ({ id }: { id: string }, index: number) => {
      const withdraw = () => client.post('/api/admin/invitations/withdraw', { id })
      const both = index % 2 === 0 ? [withdraw(), registering[index]()] : [registering[index](), withdraw()].reverse()
      const [withdrawn, made] = await Promise.all(both)
      return [withdrawn.status, made.status]
    }),
  )
  for (const pair of pairs) expect([[204, 403].join(), [404, 201].join()]).toContain(pair.join())
})

test('an invitation ends when the administrator who made it leaves, is disabled or is deleted @storage', async ({
  server,
}) => {
  const staying = await administrator(server)
  const ended: Invitation[] = []
  for (const words of [['group', 'remove', 'admins'], ['disable'], ['delete', '--yes']]) {
    const { client, id } = await administrator(server)
    ended.push((await client.post('/api/admin/invitations/add', {})).body.invitations[0])
    await accountsJson(server, ...words, `id:${id}`)
  }
  const [kept] = (await staying.client.post('/api/admin/invitations/add', {})).body.invitations
  expect(await statusesOf(server, [...ended, kept])).toEqual([403, 403, 403, 201])
})
