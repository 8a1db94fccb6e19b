import { randomBytes } from 'node:crypto'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { identity, identityIn, testBehind } from '../../support/network/proxied-app'
import { headersOf, statusOf } from '../../support/network/raw-http'
import { startProxy } from '../../support/network/reverse-proxies'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { accountsJson } from '../../support/operator/accounts-command'
import { expireAccess } from '../../support/tokens/access-tokens'
import { accessCookieOf, SIBLINGS, WIKI } from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

const ID = SIBLINGS.APP_ORIGIN
const [appHost, idHost, wikiHost] = [APP, ID, WIKI].map((origin) => new URL(origin).host) as [string, string, string]
const asPage = { Accept: 'text/html,application/xhtml+xml' }

/** The names under which apps look for an identity; PHP and WSGI take `_` and `.` for `-`. */
const NAMES = [
  ...['Remote-User', 'Remote-User-Id', 'Remote-Groups', 'Remote-Method'],
  ...['REMOTE-USER', 'Remote_User', 'Remote.User', 'Remote_Groups', 'Remote.Groups'],
]
const FORGED = Object.fromEntries(NAMES.map((name) => [name, 'admin']))

const HOSTILE = [
  '/page',
  '//evil.example/',
  '/\\evil.example/',
  '/%2f%2fevil.example/..',
  '/../..//evil.example/',
  '@evil.example/',
  '.evil.example/',
  'https://evil.example/',
  `https://${appHost}@evil.example/`,
  `https://${appHost}.evil.example/`,
]

/** For an address that a proxy was asked for, where an answer leads: to Latchkey, and from there to an app. */
function expectHarmless(answer: string, what: string) {
  const [location = '/'] = headersOf(answer).location ?? []
  const { origin, searchParams } = new URL(location, ID)
  expect(origin, what).toBe(ID)
  expect(new URL(searchParams.get('next') ?? '/', APP).origin, what).toBe(APP)
}

for (const name of ['nginx', 'caddy'] as const) {
  const test = testBehind(name)

  test(`${name} carries an app's request with 2 KiB of state to sign-in, to consent and back`, async ({
    reverseProxy,
    server,
  }) => {
    const client = new Client(server)
    const flow = new Flow(client, await registerApp(server, CALLBACK))
    const state = randomBytes(1536).toString('base64url')
    const locationOf = async (path: string) => {
      const session = client.jar.get('__Host-session')
      const answer = await reverseProxy.ask(idHost, 'GET', path, session ? { Cookie: `__Host-session=${session}` } : {})
      expect(statusOf(answer), answer).toBe(303)
      return headersOf(answer).location?.[0] ?? ''
    }
    const next = new URL(await locationOf(flow.path({ state })), ID).searchParams.get('next') ?? ''
    expect(next).toContain(state)
    await signUp(client)
    const request = new URL(await locationOf(next), ID).searchParams.get('request')
    const { body } = await client.post('/api/oauth/consent', { request, allow: true })
    const answered = new URL(await locationOf(body.location))
    expect(answered.searchParams.get('state')).toBe(state)
    expect(answered.searchParams.get('code')).toMatch(/^[\w-]{65}$/)
  })

  test(`${name} closes the app at sign-out, and to an access cookie that was kept once it has run out`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const token = client.jar.get('__Secure-access') ?? ''
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', accessCookieOf(client)))).toBe(200)
    await client.post('/api/signout')
    expect(client.jar.has('__Secure-access')).toBe(false)
    const before = app.seen.length
    const kept = { Cookie: `__Secure-access=${await expireAccess(token, server.secret)}` }
    for (const headers of [{}, kept]) {
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', headers))).toBe(401)
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', { ...headers, ...asPage }))).toBe(303)
    }
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} passes on no identity that a client claims`, async ({ reverseProxy, server, app }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const claimed = { ...FORGED, 'X-Forwarded-For': '203.0.113.9' }
    const answer = await reverseProxy.ask(appHost, 'GET', '/', { ...claimed, ...accessCookieOf(client) })
    expect(statusOf(answer)).toBe(200)
    expect(identityIn(app.last())).toEqual(identity(who, 'pwd'))
    expect(app.last().headers).toContainEqual(['x-forwarded-for', '127.0.0.1'])
    // The proxy's headers must not reach its client, where a script of the app could read them.
    for (const path of ['/', '/latchkey/ask', '/latchkey/sign-in'])
      expect(await reverseProxy.ask(appHost, 'GET', path, accessCookieOf(client))).not.toContain(who.username)
    const before = app.seen.length
    for (const headers of [FORGED, { ...FORGED, Cookie: '__Secure-access=forged', Authorization: 'Bearer forged' }])
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', headers))).toBe(401)
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} hands the app the groups, and none that a client claims`, async ({ reverseProxy, server, app }) => {
    const client = new Client(server)
    const who = await signUp(client)
    await accountsJson(server, 'group', 'add', `staff-${name}`, who.username)
    const claimed = { ...FORGED, ...accessCookieOf(client) }
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', claimed))).toBe(200)
    expect(identityIn(app.last())).toEqual(identity(who, 'pwd', `staff-${name}`))
    // The app's own parameter is not Latchkey's.
    const target = '/photos?group=Summer%20of%2069&a=b'
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', target, accessCookieOf(client)))).toBe(200)
    expect(app.last().url).toBe(target)
  })

  test(`${name} admits one of two people by group, and shows the other why not`, async ({ server, app }) => {
    const [member, other] = [new Client(server), new Client(server)]
    const { username } = await signUp(member)
    const { username: outsider } = await signUp(other)
    await accountsJson(server, 'group', 'add', `family-${name}`, username)
    await accountsJson(server, 'group', 'add', `friends-${name}`, outsider)
    const restricted = await startProxy(name, server.port, app.port, [`family-${name}`, `family-2-${name}`])
    try {
      const ask = (client: Client, target: string, headers = {}) =>
        restricted.ask(appHost, 'GET', target, { ...accessCookieOf(client), ...headers })
      expect(statusOf(await ask(member, '/'))).toBe(200)
      expect(app.last().headers).toContainEqual(['remote-groups', `family-${name}`])
      const before = app.seen.length
      // What a client asks for widens nothing.
      for (const target of ['/', `/?group=friends-${name}`, `/?group=family-${name}&group=friends-${name}`]) {
        const rejected = await ask(other, target, { 'Remote-Groups': `family-${name}` })
        expect(statusOf(rejected), target).toBe(403)
        expect(rejected).toContain('"not_allowed"')
        const page = await ask(other, target, asPage)
        expect([statusOf(page), page.includes('You can&#39;t open this app'), page.includes(outsider)]).toEqual([
          403,
          true,
          false,
        ])
      }
      expect(app.seen).toHaveLength(before)
      expect(statusOf(await restricted.ask(appHost, 'GET', '/', asPage))).toBe(303)
      await accountsJson(server, 'group', 'remove', `family-${name}`, username)
      expect(statusOf(await ask(member, '/'))).toBe(403)
    } finally {
      await restricted.stop()
    }
  })

  test(`${name} keeps the access cookie from the app, and passes on the app's own cookies`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const { Cookie: access } = accessCookieOf(client)
    const cases = [
      [access, []],
      [`a=1; ${access}; b=2`, ['a=1', 'b=2']],
      [`${access}; a=1; b=2`, ['a=1', 'b=2']],
      [`a=1; b=2; ${access}`, ['a=1', 'b=2']],
    ] as const
    const cookiesOfApp = () =>
      (app.last().headers.find(([name]) => name === 'cookie')?.[1] ?? '').split(/; ?/).filter((pair) => pair !== '')
    for (const [Cookie, expected] of cases) {
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', { Cookie })), Cookie).toBe(200)
      expect(cookiesOfApp()).toEqual(expected)
    }
    // An app may plant a second one to be handed the other.
    await reverseProxy.ask(appHost, 'GET', '/', { Cookie: `${access}; __Secure-access=planted; a=1` })
    expect(cookiesOfApp().join()).not.toContain('__Secure-access')
  })

  test(`${name} answers what is no page with 401, without a redirect`, async ({ reverseProxy, app }) => {
    const before = app.seen.length
    const json = { 'Content-Type': 'application/json' }
    for (const [method, headers, body] of [
      ['GET', { Accept: 'application/json' }, ''],
      ['GET', { Accept: '*/*', 'X-Requested-With': 'XMLHttpRequest' }, ''],
      ['POST', json, '{"a":1}'],
      ['PUT', { ...json, Accept: '*/*' }, '{"a":1}'],
      ['DELETE', {}, ''],
      ['HEAD', { Accept: '*/*' }, ''],
    ] as const) {
      const answer = await reverseProxy.ask(appHost, method, '/page', headers, body)
      expect(statusOf(answer), method).toBe(401)
      expect(headersOf(answer).location, method).toBeUndefined()
      if (method !== 'HEAD') expect(answer).toContain('"not_signed_in"')
    }
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} leads nowhere but to Latchkey and back to the app, whatever a client writes`, async ({
    reverseProxy,
    app,
  }) => {
    const before = app.seen.length
    // What an application could take for the address that was asked for; the second host is that of another listed app.
    for (const headers of [
      { 'X-Forwarded-Host': 'evil.example' },
      { 'X-Forwarded-Host': wikiHost },
      { 'X-Forwarded-Uri': '//evil.example/' },
      { 'X-Forwarded-Uri': '/elsewhere', 'X-Forwarded-Proto': 'javascript' },
      { 'X-Original-URL': 'https://evil.example/', Forwarded: 'host=evil.example' },
    ] as Record<string, string>[]) {
      const answer = await reverseProxy.ask(appHost, 'GET', '/page', { ...asPage, ...headers })
      const address = `${ID}/api/access?${new URLSearchParams({ next: `${APP}/page` })}`
      expect([statusOf(answer), headersOf(answer).location]).toEqual([303, [address]])
    }
    for (const target of HOSTILE)
      for (const host of [appHost, idHost])
        for (const Host of [host, 'evil.example', `${host}@evil.example`]) {
          const headers = { ...asPage, Host, 'X-Forwarded-Host': wikiHost }
          expectHarmless(await reverseProxy.ask(host, 'GET', target, headers), `${host} ${target}`)
        }
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} tells Latchkey the client's address`, async ({ reverseProxy, server }) => {
    const username = randomName()
    const forged = { 'X-Forwarded-For': '203.0.113.9', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ username, password: PASSWORD })
    const answer = await reverseProxy.ask(idHost, 'POST', '/api/signup', forged, body)
    expect(statusOf(answer)).toBe(201)
    const [, id = ''] = /"id":"(.*?)"/.exec(answer) ?? []
    const logged = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(id))
        .map((line) => JSON.parse(line).address)
    await expect.poll(logged).toEqual(['127.0.0.1'])
  })
}
