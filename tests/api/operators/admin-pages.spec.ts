import { authenticate, PASSWORD, randomName, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/network/split-deployment'
import { accountsJson } from '../../support/operator/accounts-command'
import { createAdministrator } from '../../support/operator/administrators'
import type { Server } from '../../support/server/server'
import { ageSession } from '../../support/tokens/tokens'

/** The same path below a folder that is not there, of a name as long. */
const elsewhere = (path: string) => path.replace('admin', 'nimda').replace('%61dmin', '%6eimda')

/** What no two answers have alike, and the path itself, which the page holds. */
const varying = [
  /nonce[-=":\\]+[\w+/]+=*/g,
  /now[\\":]+\d+/g,
  /[0-9a-f]{8}-[0-9a-f-]{27}/g,
  /[\w-]{21}[vm](?=\\*")/g,
  /admin|nimda|%61dmin|%6eimda/g,
]

async function answerAt(client: Client, path: string, { method = 'GET', headers = {} } = {}) {
  const { status, headers: sent, text } = await client.request(method, path, { headers })
  const { date: _, ...kept } = sent
  return varying.reduce((all, part) => all.replaceAll(part, 'VARYING'), JSON.stringify({ status, kept, text }))
}

const requests = [
  { method: 'HEAD' },
  { method: 'POST' },
  {},
  { headers: { RSC: '1' } },
  { headers: { RSC: '1', 'Next-Router-Prefetch': '1' } },
  { headers: { RSC: '1', 'Next-Router-Prefetch': '1', 'Next-Router-Segment-Prefetch': '/_tree' } },
]

const paths = [
  '/admin',
  '/admin/accounts',
  '/admin/accounts/',
  '/admin/accounts?group=admins&forget=',
  '/admin/accounts/nobody',
  '/admin/nothing/at/all',
  '/admin/groups/a.b',
  '/admin/accounts?locale=de',
  '/%61dmin/accounts',
  '/x/../admin/accounts',
]

/** Whose session is no administrator's gets what nobody gets, in fewer ways: each answer is a page that a server renders. */
async function expectUnknown(client: Client, who: string, few = who !== 'nobody') {
  for (const [at, path] of (few ? paths.slice(0, 2) : paths).entries())
    for (const request of few || at > 1 ? requests.slice(2, 4) : requests) {
      const unknown = await answerAt(client, elsewhere(path), request)
      expect(await answerAt(client, path, request), `${who}: ${path} ${JSON.stringify(request)}`).toBe(unknown)
    }
}

const asPageOf = ({ jar }: Client, pages: Server) =>
  Object.assign(new Client(pages, { undocumented: true }), { jar: new Map(jar) })

/** Somebody signed out, somebody signed in, one who was an administrator, and a session of one that has ended. */
async function strangersOf(pages: Server, accounts: Server) {
  const person = new Client(pages, { undocumented: true })
  await signUp(person)
  const former = await createAdministrator(accounts)
  const ended = await createAdministrator(accounts)
  const strangers = {
    nobody: new Client(pages, { undocumented: true }),
    person,
    former: asPageOf(former.client, pages),
    ended: asPageOf(ended.client, pages),
  }
  await createAdministrator(accounts)
  await accountsJson(accounts, 'group', 'remove', 'admins', `id:${former.id}`)
  expect((await ended.client.post('/api/signout')).status).toBe(204)
  return strangers
}

test('an operators’ page is to everybody but administrators the 404 of an unknown path, byte by byte @pages @promise', async ({
  server,
}) => {
  for (const [who, client] of Object.entries(await strangersOf(server, server))) await expectUnknown(client, who)
})

test('it is so on a front end that Next alone serves, too, where administrators get their pages @pages', async ({
  startSplitDeployment,
}) => {
  const { frontEnd, backend } = await startSplitDeployment({ mode: 'next' })
  for (const [who, client] of Object.entries(await strangersOf(frontEnd, backend)))
    await expectUnknown(client, who, true)
  const { client, username } = await createAdministrator(backend)
  const page = await asPageOf(client, frontEnd).get('/admin/accounts')
  expect(page.status).toBe(200)
  expect(page.text).toContain(username)
})

test('no page of the account loads a script that calls for operators @pages', async ({ server }) => {
  const { client } = await createAdministrator(server)
  const scripts = async (path: string) => {
    const { text } = await client.get(path)
    const urls = [...new Set(text.match(/\/_next\/static\/chunks\/[^"\\]+\.js/g))]
    const answers = await Promise.all(urls.map((url) => client.get(url)))
    return answers.map(({ text }) => text).join()
  }
  expect(await scripts('/admin/groups')).toContain('/api/admin/')
  for (const path of ['/profile', '/passkeys', '/secure', '/signin', '/nowhere'])
    expect(await scripts(path), path).not.toContain('/api/admin/')
})

test('the log tells of an app and an operator whose names every object has @pages', async ({ server }) => {
  const { client } = await createAdministrator(server)
  await accountsJson(server, 'app', 'add', randomName(), 'https://odd.example.com/callback', '--id', 'constructor')
  await accountsJson(server, 'app', 'delete', 'constructor', '--yes')
  const page = await client.get('/admin/log?app=constructor&by=toString')
  expect(page.status).toBe(200)
  expect((await client.get('/admin/log')).text).toContain('?app=constructor')
})

test('an administrator gets the pages by a session of the last twelve hours that a passkey opened, and otherwise one that asks for it @pages @promise', async ({
  server,
}) => {
  const { client, authenticator, username } = await createAdministrator(server)
  const shown = async (asking = client) => {
    const { status, headers, text } = await asking.get('/admin/accounts')
    expect([status, headers['cache-control']]).toEqual([200, expect.stringContaining('no-store')])
    return { isLocked: /<h1[^>]*>Show that it/.test(text), isOpen: /<h1[^>]*>Accounts/.test(text) }
  }
  const [open, locked] = [{ isLocked: false }, { isLocked: true, isOpen: false }]
  expect(await shown()).toMatchObject(open)
  expect((await client.get('/admin')).headers.location).toBe('/admin/accounts')
  await ageSession(client, server, 12 * 3600 + 60)
  expect(await shown()).toEqual(locked)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  expect(await shown()).toMatchObject(open)
  expect((await client.post('/api/i/password', { password: PASSWORD })).status).toBe(200)
  const byPassword = new Client(server)
  expect((await signInWithPassword(byPassword, username)).status).toBe(200)
  expect(await shown(byPassword)).toEqual(locked)
})
