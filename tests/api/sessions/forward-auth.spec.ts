import { signUp, signUpWithPasskey } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'
import { accessTokenFor, verifyWithJose } from '../../support/tokens/access-tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import {
  accessCookieIn,
  accessCookieOf,
  askForwardAuth,
  ELSEWHERE,
  expectIdentity,
  expectNobody,
  forPage,
  openAccess,
  redirectOf,
  SIBLINGS,
  test,
  WIKI,
} from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

/** Node drops lines behind the thousandth. Proxies may write their own in the order of the names. */
function askBehindLines({ port }: Server, cookie: Record<string, string>) {
  const lines = Object.fromEntries(Array.from({ length: 1_100 }, (_, at) => [`D${at}`, '']))
  return exchange(port, rawRequest('GET', '/api/forward-auth', { ...cookie, ...lines, ...forPage(ELSEWHERE) }))
}

test.describe('forward-auth', () => {
  test('forward-auth names the owner of a session, by bearer or cookie @promise', async ({ server }) => {
    const authenticator = new Authenticator(server.origin)
    const client = new Client(server)
    const who = await signUp(client)
    expectIdentity(await askForwardAuth(server, { Authorization: `Bearer ${who.token}` }), who)
    expectIdentity(await client.get('/api/forward-auth'), who)
    const other = await signUpWithPasskey(new Client(server), authenticator)
    expectIdentity(await askForwardAuth(server, { Authorization: `Bearer ${other.token}` }), other, 'passkey')
    // Requests of any site are answered: it changes nothing.
    const foreign = {
      Authorization: `Bearer ${who.token}`,
      Origin: 'https://evil.example',
      'Sec-Fetch-Site': 'cross-site',
    }
    expectIdentity(await askForwardAuth(server, foreign), who)
    await client.post('/api/signout')
    expectNobody(await askForwardAuth(server, { Authorization: `Bearer ${who.token}` }))
  })

  test('forward-auth names the owner of an access cookie at every app of the domain', async ({ server }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const cookie = accessCookieOf(client)
    expectIdentity(await askForwardAuth(server, cookie), who)
    for (const app of [APP, WIKI]) expectIdentity(await askForwardAuth(server, { ...cookie, ...forPage(app) }), who)
    const shouted = { ...cookie, ...forPage(APP), 'X-Forwarded-Host': 'APP.example.com:443' }
    expectIdentity(await askForwardAuth(server, shouted), who)
  })

  test('forward-auth takes an access cookie at no host that is malformed, not listed or of another domain @promise', async ({
    server,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const malformed = ['app.example.com:x', 'app.example.com, wiki.example.com', '[::1]', '']
    const others = ['evil.example', 'other.example.com', 'app.example.com:444', new URL(ELSEWHERE).host]
    for (const host of [...malformed, ...others])
      for (const rest of [{ 'X-Forwarded-Uri': '/' }, {}])
        expectNobody(await askForwardAuth(server, { ...accessCookieOf(client), 'X-Forwarded-Host': host, ...rest }))
  })

  test('forward-auth names nobody to a host that a proxy writes behind a thousand lines of the client', async ({
    server,
  }) => {
    const client = new Client(server)
    await signUp(client)
    expect(statusOf(await askBehindLines(server, accessCookieOf(client)))).toBe(400)
  })

  test('forward-auth ignores a bearer that is no session of ours @promise', async ({ server }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const access = client.jar.get('__Secure-access')
    for (const bearer of ['the-app-s-own', 'ey.ey.ey', access]) {
      expectNobody(await askForwardAuth(server, { Authorization: `Bearer ${bearer}` }))
      const both = { ...accessCookieOf(client), Authorization: `Bearer ${bearer}` }
      expectIdentity(await askForwardAuth(server, both), who)
      const session = await client.get('/api/forward-auth', { headers: { Authorization: `Bearer ${bearer}` } })
      expectIdentity(session, who)
    }
  })

  test('forward-auth leads a browser without a session to sign in and back, to listed apps of the domain only @promise', async ({
    server,
  }) => {
    for (const [app, uri] of [
      [APP, '/'],
      [WIKI, '/page?a=b&c=d'],
      [APP, '/a%2Fb?next=//evil.example'],
      [APP, '//evil.example'],
      [APP, '/\\evil.example'],
    ] as const) {
      const location = redirectOf(await askForwardAuth(server, forPage(app, uri)))
      expect(location).toBe(`${server.origin}/api/access?${new URLSearchParams({ next: app + uri })}`)
    }
    const hosts = [
      'evil.example',
      'app.example.com.evil.com',
      'app.example.com@evil.com',
      'app.example.com/evil',
      'app.example.com:8443',
      'app.example.com, evil.example',
      'app.example.com:x',
      'other.example.com',
      'id.example.com',
      'app.example.org',
      '[::1]',
      '',
    ]
    for (const host of hosts) expectNobody(await askForwardAuth(server, { ...forPage(APP), 'X-Forwarded-Host': host }))
    for (const uri of ['', 'evil', 'https://evil.example/', '\\evil.example', '@evil.example'])
      expectNobody(await askForwardAuth(server, forPage(APP, uri)))
    expectNobody(await askForwardAuth(server, { ...forPage(APP), Accept: 'application/json' }))
    expectNobody(await askForwardAuth(server, { 'X-Forwarded-Host': 'app.example.com', Accept: 'text/html' }))
    expectNobody(await askForwardAuth(server, { 'X-Forwarded-Uri': '/', Accept: 'text/html' }))
    expectNobody(await askForwardAuth(server))
  })
})

test('Next without server.ts answers forward-auth and /api/access alike, and gives access tokens that verify', {
  tag: '@pages',
}, async ({ start }) => {
  const server = await start({ mode: 'next', env: SIBLINGS })
  const client = new Client(server)
  const who = await signUp(client)
  expectIdentity(await askForwardAuth(server, accessCookieOf(client)), who)
  expectIdentity(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage(APP) }), who)
  expect((await verifyWithJose(server, await accessTokenFor(client, APP), APP)).sub).toBe(who.id)
  expectNobody(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage('https://other.example.com') }))
  expect(redirectOf(await askForwardAuth(server, forPage(APP, '/x')))).toContain('/api/access?next=')
  expectNobody(await askForwardAuth(server))
  expect(await askBehindLines(server, accessCookieOf(client))).toBe('')
  const renewed = await openAccess(client, `${APP}/x`)
  expect(redirectOf(renewed)).toBe(`${APP}/x`)
  accessCookieIn(renewed)
  expect(redirectOf(await openAccess(client, '//evil.example'))).toBe('/profile')
})
