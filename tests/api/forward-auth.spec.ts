import { decodeJwt, generateKeyPair } from 'jose'
import { register, signInWithPassword, signUp, signUpWithPasskey } from '../support/accounts'
import { type Answer, Client } from '../support/client'
import { expect } from '../support/fixtures'
import { type Change, resignAccess } from '../support/tokens/access-tokens'
import { unsecured } from '../support/tokens/tokens'
import { Authenticator } from '../support/webauthn/authenticator'
import {
  APP,
  accessCookieOf,
  askForwardAuth,
  DOMAIN,
  ELSEWHERE,
  expectIdentity,
  expectNobody,
  forPage,
  SIBLINGS,
  test,
  WIKI,
} from '../support/your-app/sibling-apps'

const now = () => Math.floor(Date.now() / 1000)

const redirectOf = ({ status, headers }: Answer) => {
  expect(status).toBe(303)
  expect(headers['cache-control']).toBe('no-store')
  return headers.location ?? ''
}

function accessCookieIn({ cookies }: Answer) {
  const found = cookies.filter(({ name }) => name.includes('access'))
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    name: '__Secure-access',
    attributes: {
      domain: DOMAIN,
      path: '/',
      httponly: true,
      secure: true,
      samesite: expect.stringMatching(/^lax$/i),
    },
  })
  return found[0]
}

const openAccess = (client: Client, next: string) =>
  client.get(`/api/access?${new URLSearchParams({ next })}`, {
    headers: { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  })

test.describe('forward-auth', () => {
  test('forward-auth names the owner of a session, by bearer or cookie', async ({ accounts }) => {
    const authenticator = new Authenticator(accounts.origin)
    const client = new Client(accounts)
    const who = await signUp(client)
    expectIdentity(await askForwardAuth(accounts, { Authorization: `Bearer ${who.token}` }), who)
    expectIdentity(await client.get('/api/forward-auth'), who)
    const other = await signUpWithPasskey(new Client(accounts), authenticator)
    expectIdentity(await askForwardAuth(accounts, { Authorization: `Bearer ${other.token}` }), other, 'passkey')
    // Requests of any site are answered: it changes nothing.
    const foreign = {
      Authorization: `Bearer ${who.token}`,
      Origin: 'https://evil.example',
      'Sec-Fetch-Site': 'cross-site',
    }
    expectIdentity(await askForwardAuth(accounts, foreign), who)
    await client.post('/api/signout')
    expectNobody(await askForwardAuth(accounts, { Authorization: `Bearer ${who.token}` }))
  })

  test('forward-auth names the owner of an access cookie at every app of the domain', async ({ accounts }) => {
    const client = new Client(accounts)
    const who = await signUp(client)
    const cookie = accessCookieOf(client)
    expectIdentity(await askForwardAuth(accounts, cookie), who)
    for (const app of [APP, WIKI]) expectIdentity(await askForwardAuth(accounts, { ...cookie, ...forPage(app) }), who)
    const shouted = { ...cookie, ...forPage(APP), 'X-Forwarded-Host': 'APP.example.com:443' }
    expectIdentity(await askForwardAuth(accounts, shouted), who)
  })

  test('forward-auth ignores a bearer that is no session of ours', async ({ accounts }) => {
    const client = new Client(accounts)
    const who = await signUp(client)
    const access = client.jar.get('__Secure-access')
    for (const bearer of ['the-app-s-own', 'ey.ey.ey', access]) {
      expectNobody(await askForwardAuth(accounts, { Authorization: `Bearer ${bearer}` }))
      const both = { ...accessCookieOf(client), Authorization: `Bearer ${bearer}` }
      expectIdentity(await askForwardAuth(accounts, both), who)
      const session = await client.get('/api/forward-auth', { headers: { Authorization: `Bearer ${bearer}` } })
      expectIdentity(session, who)
    }
  })

  test('forward-auth leads a browser without a session to sign in and back, to listed apps of the domain only', async ({
    accounts,
  }) => {
    for (const [app, uri] of [
      [APP, '/'],
      [WIKI, '/page?a=b&c=d'],
      [APP, '/a%2Fb?next=//evil.example'],
    ] as const) {
      const location = redirectOf(await askForwardAuth(accounts, forPage(app, uri)))
      expect(location).toBe(`${accounts.origin}/api/access?${new URLSearchParams({ next: app + uri })}`)
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
    for (const host of hosts)
      expectNobody(await askForwardAuth(accounts, { ...forPage(APP), 'X-Forwarded-Host': host }))
    for (const uri of ['//evil.example', '', 'evil', 'https://evil.example/', '\\evil.example', '@evil.example'])
      expectNobody(await askForwardAuth(accounts, forPage(APP, uri)))
    expectNobody(await askForwardAuth(accounts, { ...forPage(APP), Accept: 'application/json' }))
    expectNobody(await askForwardAuth(accounts, { 'X-Forwarded-Host': 'app.example.com', Accept: 'text/html' }))
    expectNobody(await askForwardAuth(accounts, { 'X-Forwarded-Uri': '/', Accept: 'text/html' }))
    expectNobody(await askForwardAuth(accounts))
  })
})

test.describe('an access cookie', () => {
  test('an access cookie is valid at listed hosts of the domain only', async ({ accounts }) => {
    const client = new Client(accounts)
    await signUp(client)
    for (const origin of [
      'https://evil.example',
      'https://other.example.com',
      ELSEWHERE,
      'https://app.example.com:444',
    ]) {
      expectNobody(await askForwardAuth(accounts, { ...accessCookieOf(client), ...forPage(origin) }))
      const { 'X-Forwarded-Host': host } = forPage(origin)
      expectNobody(await askForwardAuth(accounts, { ...accessCookieOf(client), 'X-Forwarded-Host': host }))
    }
  })

  const FORGERIES: Record<string, () => Change | Promise<Change>> = {
    'for a single app': () => ({ claims: { aud: APP, client_id: APP } }),
    'for a single app in an array': () => ({ claims: { aud: [APP], client_id: APP } }),
    'of another domain': () => ({ claims: { client_id: 'example.org' } }),
    'that has expired': () => ({ claims: { iat: now() - 400, exp: now() - 100 } }),
    'without expiry': () => ({ claims: { exp: undefined } }),
    'of another issuer': () => ({ claims: { iss: 'https://evil.example' } }),
    'of another type': () => ({ header: { typ: 'JWT' } }),
    'of no type': () => ({ header: { typ: undefined } }),
    'of an account that does not exist': () => ({ claims: { sub: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
    'signed with another key': async () => ({ key: (await generateKeyPair('ES256')).privateKey }),
  }

  for (const [what, change] of Object.entries(FORGERIES)) {
    test(`forward-auth takes no access cookie ${what}`, async ({ accounts }) => {
      const client = new Client(accounts)
      const who = await signUp(client)
      const token = client.jar.get('__Secure-access') ?? ''
      const good = await resignAccess(token, accounts.secret)
      expectIdentity(await askForwardAuth(accounts, { Cookie: `__Secure-access=${good}`, ...forPage(APP) }), who)
      const forged = await resignAccess(token, accounts.secret, await change())
      const { Accept, ...asked } = forPage(APP)
      expectNobody(await askForwardAuth(accounts, { Cookie: `__Secure-access=${forged}`, ...asked }))
      expectNobody(await askForwardAuth(accounts, { Cookie: `__Secure-access=${forged}` }))
    })
  }

  test('forward-auth takes neither a token of /api/token nor a session in place of the access cookie', async ({
    accounts,
  }) => {
    const client = new Client(accounts)
    const { token: session } = await signUp(client)
    const { token } = (await client.post('/api/token', { audience: APP })).body
    for (const value of [token, session, unsecured(client.jar.get('__Secure-access') ?? '')])
      expectNobody(await askForwardAuth(accounts, { Cookie: `__Secure-access=${value}` }))
  })

  test('an access cookie ends with its account, and names it as it is called now', async ({ accounts }) => {
    const client = new Client(accounts)
    const who = await signUp(client)
    const cookie = accessCookieOf(client)
    const username = `${who.username}-2`
    expect((await client.post('/api/i/username', { username })).status).toBe(200)
    expectIdentity(await askForwardAuth(accounts, cookie), { id: who.id, username })
    expect((await client.post('/api/i/delete')).status).toBe(204)
    expectNobody(await askForwardAuth(accounts, cookie))
  })

  test('every answer that opens a session sets the access cookie, and sign-out clears it', async ({ accounts }) => {
    const authenticator = new Authenticator(accounts.origin)
    const client = new Client(accounts, { page: true })
    const { id, username, answer } = await signUp(client)
    const opened = [answer, await signInWithPassword(client, username)]
    opened.push((await signUpWithPasskey(new Client(accounts), authenticator)).answer)
    opened.push(await client.post('/api/i/signout-everywhere', { exceptThis: true }))
    expect(decodeJwt(accessCookieIn(answer)?.value ?? '')).toMatchObject({ sub: id, amr: ['pwd'] })
    for (const each of opened) {
      const cookie = accessCookieIn(each)
      expect(cookie?.attributes['max-age']).toBe('300')
      const claims = decodeJwt(cookie?.value ?? '')
      expect(claims).toMatchObject({ iss: accounts.origin, aud: [APP, WIKI], client_id: DOMAIN })
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
    }
    // Adding a passkey opens no session.
    await signInWithPassword(client, username)
    expect((await register(client, new Authenticator(accounts.origin))).cookies).toEqual([])
    for (const path of ['/api/signout', '/api/signout', '/api/i/signout-everywhere', '/api/i/delete']) {
      if (path !== '/api/signout') await signInWithPassword(client, username)
      expect(accessCookieIn(await client.post(path)), path).toMatchObject({ value: '', attributes: { 'max-age': '0' } })
      expect(client.jar.has('__Secure-access')).toBe(false)
    }
  })

  test('without ACCESS_COOKIE_DOMAIN no access cookie is set or taken @embedded', async ({ start, accounts }) => {
    const { ACCESS_COOKIE_DOMAIN, ...env } = SIBLINGS
    const server = await start({ env: { ...env, JWT_SECRET: accounts.secret } })
    const elsewhere = new Client(accounts)
    await signUp(elsewhere)
    const client = new Client(server)
    const { answer, id } = await signUp(client)
    expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session'])
    const token = await resignAccess(elsewhere.jar.get('__Secure-access') ?? '', server.secret, { claims: { sub: id } })
    expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${token}` }))
    expectNobody(await askForwardAuth(server, forPage(APP)))
    expect((await client.post('/api/signout')).cookies.map(({ name }) => name)).toEqual(['__Host-session'])
  })

  /** As a browser does that follows a link of an app on another site. */
})
test.describe('/api/access', () => {
  test('/api/access renews the access cookie on the way to an app', async ({ accounts }) => {
    const client = new Client(accounts)
    const who = await signUp(client)
    client.jar.delete('__Secure-access')
    const address = `${WIKI}/page?a=b&c=d#e`
    const answer = await openAccess(client, address)
    expect(redirectOf(answer)).toBe(address)
    expect(accessCookieIn(answer)?.attributes['max-age']).toBe('300')
    expectIdentity(await askForwardAuth(accounts, { ...accessCookieOf(client), ...forPage(WIKI) }), who)
  })

  test('/api/access leads to the sign-in page without a valid session, and sets no cookie', async ({ accounts }) => {
    const gone = new Client(accounts)
    await signUp(gone)
    const jar = new Map(gone.jar)
    await gone.post('/api/signout')
    for (const [name, value] of jar) gone.jar.set(name, value)
    for (const client of [new Client(accounts), gone]) {
      const answer = await openAccess(client, `${APP}/page?a=b`)
      expect(redirectOf(answer)).toBe(`/signin?${new URLSearchParams({ next: `${APP}/page?a=b` })}`)
      expect(answer.cookies).toEqual([])
    }
  })

  const HOSTILE = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'https:/\\evil.example',
    'https:evil.example',
    'https://app.example.com.evil.com/',
    'https://app.example.com@evil.com/',
    'https://app.example.com:8443/',
    'https://app.example.com\\@evil.com/',
    'https://app.example.com\\.evil.com/',
    'https://app.example.com\t.evil.com/',
    'https://app.example.com%2eevil.com/',
    'https://me@app.example.com/',
    'https://evil.example/https://app.example.com/',
    // As long as the origin of an app.
    'https://evil.example.co/?https://app.example.com/',
    'HTTPS://APP.EXAMPLE.COM.evil.com',
    ' https://app.example.com.evil.com',
    'http://app.example.com/',
    'https://other.example.com/',
    'capacitor://localhost.evil.com/',
    'capacitor:localhost',
    'javascript:alert(1)//https://app.example.com/',
    'data:text/html,x',
    'null',
    '',
  ]

  test('/api/access leads to no address that is not listed, however it is written', async ({ accounts }) => {
    const client = new Client(accounts)
    await signUp(client)
    for (const next of HOSTILE) {
      expect(redirectOf(await openAccess(client, next)), next).toBe('/profile')
      expect(redirectOf(await openAccess(new Client(accounts), next)), next).toBe('/signin?next=%2Fprofile')
    }
    for (const query of ['', '?next', `?next=${APP}&next=https://evil.example`]) {
      const answer = await client.get(`/api/access${query}`)
      expect(redirectOf(answer), query).toBe('/profile')
    }
  })

  test('/signin and /signup send a signed-in person to an app by way of /api/access', { tag: '@pages' }, async ({
    start,
  }) => {
    const server = await start({ mode: 'node', env: SIBLINGS })
    const client = new Client(server)
    await signUp(client)
    const open = (path: string, next: string) => client.get(`${path}?${new URLSearchParams({ next })}`)
    // A fragment of its own, or the browser would carry an invitation's on.
    for (const [path, end] of [
      ['/signin', ''],
      ['/signup', '#'],
    ] as const) {
      const there = await open(path, `${APP}/page?a=b`)
      expect([there.status, there.headers.location]).toEqual([
        307,
        `/api/access?${new URLSearchParams({ next: `${APP}/page?a=b` })}${end}`,
      ])
      expect((await open(path, `${ELSEWHERE}/x`)).headers.location).toBe(`${ELSEWHERE}/x${end}`)
      expect((await open(path, 'capacitor://localhost/x')).headers.location).toBe(`capacitor://localhost/x${end}`)
      for (const next of HOSTILE) expect((await open(path, next)).headers.location, next).toBe(`/profile${end}`)
    }
  })
})

test('Next without server.ts answers forward-auth and /api/access alike', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ mode: 'next', env: SIBLINGS })
  const client = new Client(server)
  const who = await signUp(client)
  expectIdentity(await askForwardAuth(server, accessCookieOf(client)), who)
  expectIdentity(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage(APP) }), who)
  expectNobody(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage('https://other.example.com') }))
  expect(redirectOf(await askForwardAuth(server, forPage(APP, '/x')))).toContain('/api/access?next=')
  expectNobody(await askForwardAuth(server))
  const renewed = await openAccess(client, `${APP}/x`)
  expect(redirectOf(renewed)).toBe(`${APP}/x`)
  accessCookieIn(renewed)
  expect(redirectOf(await openAccess(client, '//evil.example'))).toBe('/profile')
})
