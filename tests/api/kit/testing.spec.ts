import { createServer } from 'node:http'
import { createPerson, deletePeople, signIn, signInTo } from '../../../packages/kit/src/testing'
import { randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { startNotesApp } from '../../support/kit/notes-app'
import { listenLocally } from '../../support/network/listen-locally'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'

const keyOf = async (server: Server, areas = 'accounts,identity,groups,invitations'): Promise<string> =>
  (await accountsJson(server, 'key', 'add', randomName(), '--for', areas)).secret

const whoHas = async (server: Server, cookie: string) =>
  (await new Client(server).post('/api/i', undefined, { headers: { Cookie: cookie } })).body

const usernames = async (server: Server) =>
  (await accountsJson(server, 'list')).accounts.map(({ username }: { username: string }) => username)

test('latchkey-kit makes people with names, addresses and groups where sign-up takes an invitation, signs them in, and leaves none behind', async ({
  start,
}) => {
  const server = await start({ env: { SIGN_UP: 'invited' } })
  const latchkey = { url: server.origin, key: await keyOf(server) }
  await expect(createPerson({ latchkey: { url: server.origin } })).rejects.toThrow(
    /which SIGN_UP closes, takes an operator's key/,
  )
  const email = `${randomName()}@example.com`
  const ada = await createPerson({ displayName: 'Ada Lovelace', email, groups: ['family', 'staff'], latchkey })
  const kept = await createPerson({ username: randomName(), keep: true, latchkey })

  const sessions = [await signIn(ada), await signIn(ada)]
  for (const { cookie } of sessions)
    expect(await whoHas(server, cookie)).toMatchObject({
      id: ada.id,
      username: ada.username,
      displayName: 'Ada Lovelace',
      email,
      groups: ['family', 'staff'],
      passkeys: [{ id: ada.passkey.credentialId }],
    })
  // A new session each time, as another browser has it.
  expect(sessions[0]?.cookie).not.toBe(sessions[1]?.cookie)
  expect(sessions[0]?.cookies).toContainEqual(
    expect.objectContaining({
      name: 'latchkey-session',
      domain: 'localhost',
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    }),
  )

  const disabled = await createPerson({ latchkey })
  await accountsJson(server, 'disable', disabled.username)
  const gone = await createPerson({ latchkey })
  await accountsJson(server, 'delete', gone.username, '--yes')
  await deletePeople()
  expect(await usernames(server)).toEqual([kept.username])
})

test('latchkey-kit says before any request what takes an operator’s key', async () => {
  const requests: string[] = []
  const listener = await listenLocally(
    createServer((request, response) => {
      requests.push(String(request.url))
      response.end()
    }),
  )
  const latchkey = { url: `http://localhost:${listener.port}` }
  for (const options of [{ groups: ['family'] }, { email: 'ada@example.com' }])
    await expect(createPerson({ ...options, latchkey })).rejects.toThrow(/takes an operator's key: set LATCHKEY_KEY/)
  expect(requests).toEqual([])
  await listener.close()
})

test('latchkey-kit signs people in to an app by OpenID Connect, and says yes where Latchkey asks them', async ({
  server,
  keep,
}) => {
  const latchkey = { url: server.origin }
  const app = await keep('notes', async (onEnd) => {
    const app = await startNotesApp(server, { offline: true })
    onEnd(app.close)
    return app
  })
  const ada = await createPerson({ displayName: 'Ada Lovelace', latchkey })
  const { url, cookie, cookies } = await signInTo(`${app.url}/notes`, ada)
  expect(url).toBe(`${app.url}/notes`)
  expect(await (await fetch(url, { headers: { Cookie: cookie } })).text()).toBe('Notes of Ada Lovelace')
  // An app that wants to see the passkey again.
  expect((await signInTo(`${app.url}/notes?prompt=login`, ada)).url).toBe(`${app.url}/notes?prompt=login`)
  // With an app that knows the person already, and one that the person is not in the group for.
  expect((await signInTo(`${app.url}/notes`, ada, { cookies })).url).toBe(url)
  await expect(signInTo(`${app.url}/staff`, ada)).rejects.toThrow(`ended at ${app.url}/staff with the status 403`)
  await expect(signInTo(`${app.url}/auth/me`, ada)).rejects.toThrow(/did not lead to .*: give signInTo an address that/)
  await expect(signInTo(`${server.origin}/profile`, ada)).rejects.toThrow(/takes the address of an app's page/)
  await deletePeople()
})
