import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { Hono } from 'hono'
import { NextRequest } from 'next/server.js'
import { test as base, expect } from 'playwright/test'
import { latchkey as express } from '../../../packages/kit/src/express'
import { latchkey as hono } from '../../../packages/kit/src/hono'
import { latchkey as next } from '../../../packages/kit/src/next'
import { latchkey, type Options, type Store, type User, withCookies } from '../../../packages/kit/src/web'
import { Browser } from './browser'
import { type Lies, type Provider, startProvider } from './provider'

const secret = 'a-secret-of-this-app-alone-of-32-characters'

const test = base.extend<{ provider: Provider; logged: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  provider: async ({}, use) => {
    const provider = await startProvider()
    await use(provider)
    provider.stop()
  },
  logged: [
    // biome-ignore lint/correctness/noEmptyPattern: the same
    async ({}, use) => {
      const { error } = console
      const logged: string[] = []
      console.error = (line: string) => void logged.push(line)
      await use(logged)
      console.error = error
      mock.timers.reset()
    },
    { auto: true },
  ],
})

const settingsOf = ({ issuer }: Provider) => ({
  issuer,
  clientId: 'notes',
  clientSecret: 'secret',
  sessionSecret: secret,
})

const appOf = (provider: Provider, options: Options = {}) => latchkey({ ...settingsOf(provider), ...options })

function visit(provider: Provider, options: Options = {}, origin?: string) {
  const app = appOf(provider, options)
  return { app, browser: new Browser(app.handle, origin) }
}

async function signedIn(provider: Provider, options: Options = {}) {
  const visited = visit(provider, options)
  const response = await visited.browser.back(provider.answer(await visited.browser.begin()))
  expect(response.status).toBe(303)
  return visited
}

const userOf = async (app: { auth(request: Request): Promise<User | null> }, browser: Browser) =>
  app.auth(browser.request('/'))

const thrown = (promise: Promise<unknown>): Promise<Response> =>
  promise.then(
    () => Promise.reject(new Error('It did not throw.')),
    (error) => error as Response,
  )

test('latchkey-kit signs somebody in, says who it is, and signs out at the provider, too', async ({ provider }) => {
  const { app, browser } = visit(provider)
  const location = new URL(await browser.begin('/notes?page=2'))
  expect(location.origin + location.pathname).toBe(`${provider.issuer}/authorize`)
  const { state, nonce, code_challenge, ...asked } = Object.fromEntries(location.searchParams)
  expect(asked).toEqual({
    client_id: 'notes',
    response_type: 'code',
    redirect_uri: 'http://localhost:3000/auth/callback',
    scope: 'openid profile email groups',
    code_challenge_method: 'S256',
  })
  for (const random of [state, nonce, code_challenge]) expect(random).toMatch(/^[\w-]{43}$/)

  const back = await browser.back(provider.answer(location.href))
  expect(back.status).toBe(303)
  expect(back.headers.get('location')).toBe('http://localhost:3000/notes?page=2')
  expect(back.headers.get('cache-control')).toBe('private, no-store')
  const user = { id: 'person-1', username: 'ada', name: 'Ada Lovelace', email: null, groups: [] }
  expect(await userOf(app, browser)).toEqual(user)
  expect(await app.requireUser(browser.request('/notes'))).toEqual(user)
  expect(await (await browser.send('/auth/me')).json()).toEqual({ user })

  const out = await browser.send('/auth/sign-out', { method: 'POST', headers: { origin: 'http://localhost:3000' } })
  const end = new URL(out.headers.get('location') ?? '')
  expect(end.origin + end.pathname).toBe(`${provider.issuer}/logout`)
  expect(Object.fromEntries(end.searchParams)).toEqual({
    client_id: 'notes',
    post_logout_redirect_uri: 'http://localhost:3000/',
    id_token_hint: expect.stringMatching(/^ey/),
  })
  expect(browser.cookies.size).toBe(0)
  expect(await (await browser.send('/auth/me')).json()).toEqual({ user: null })
})

test('latchkey-kit refuses every callback that is not the answer to what this browser asked', async ({ provider }) => {
  const hostile: [string, (answer: URLSearchParams) => void][] = [
    ['no state', (answer) => answer.delete('state')],
    ['an empty state', (answer) => answer.set('state', '')],
    ['another state', (answer) => answer.set('state', 'x'.repeat(43))],
    // Its cookie is found, because that is named after the beginning.
    ['a state with another end', (answer) => answer.set('state', `${answer.get('state')?.slice(0, -4)}AAAA`)],
    ['two states', (answer) => answer.append('state', answer.get('state') ?? '')],
    ['no iss', (answer) => answer.delete('iss')],
    ['the iss of another provider', (answer) => answer.set('iss', 'https://evil.example.com')],
    ['no code', (answer) => answer.delete('code')],
    ['another code', (answer) => answer.set('code', 'guessed')],
    ['two codes', (answer) => answer.append('code', 'guessed')],
    ['an error beside the code', (answer) => answer.set('error', 'server_error')],
  ]
  for (const [what, change] of hostile) {
    const { app, browser } = visit(provider)
    const answer = provider.answer(await browser.begin())
    change(answer)
    const response = await browser.back(answer)
    expect(response.status, what).toBe(400)
    expect(await userOf(app, browser), what).toBeNull()
  }
})

test('latchkey-kit refuses a callback that another browser began, and one that comes a second time', async ({
  provider,
}) => {
  const { browser: attacker } = visit(provider)
  const { app, browser: victim } = visit(provider)
  const answer = provider.answer(await attacker.begin())
  expect((await victim.back(answer)).status).toBe(400)
  await victim.begin()
  expect((await victim.back(answer)).status).toBe(400)
  expect(await userOf(app, victim)).toBeNull()

  const cookies = new Map(attacker.cookies)
  expect((await attacker.back(answer)).status).toBe(303)
  expect((await attacker.back(answer)).status).toBe(400)
  // Also with the cookie that the first answer has deleted.
  for (const [name, value] of cookies) attacker.cookies.set(name, value)
  expect((await attacker.back(answer)).status).toBe(400)
})

test('latchkey-kit refuses a code that was got without its own code_challenge', async ({ provider }) => {
  const { app, browser } = visit(provider)
  const location = new URL(await browser.begin())
  location.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  expect((await browser.back(provider.answer(location.href))).status).toBe(400)
  expect(await userOf(app, browser)).toBeNull()
})

test('latchkey-kit refuses an ID token that is not signed, or is for another app, sign-in, provider or time', async ({
  provider,
}) => {
  const now = Math.floor(Date.now() / 1000)
  const lies: [string, Lies][] = [
    ['no ID token', { withoutIdToken: true }],
    ['no signature', { signature: 'none' }],
    ['the signature of another key', { signature: 'other' }],
    ['another nonce', { idToken: { nonce: 'another' } }],
    ['no nonce', { idToken: { nonce: undefined } }],
    ['another audience', { idToken: { aud: 'another-app' } }],
    ['another issuer', { idToken: { iss: 'https://evil.example.com' } }],
    ['an end in the past', { idToken: { exp: now - 120 } }],
    ['no sub', { idToken: { sub: undefined } as never }],
  ]
  for (const [what, lie] of lies) {
    const { app, browser } = visit(provider)
    const answer = provider.answer(await browser.begin())
    Object.assign(provider.lies, { idToken: undefined, signature: undefined, withoutIdToken: undefined }, lie)
    expect((await browser.back(answer)).status, what).toBe(400)
    expect(await userOf(app, browser), what).toBeNull()
  }
})

test('latchkey-kit takes an address for verified only if the provider says so', async ({ provider }) => {
  for (const [email_verified, email] of [
    [true, 'ada@example.com'],
    [false, null],
    ['true', null],
    [undefined, null],
  ] as const) {
    Object.assign(provider.claims, { email: 'ada@example.com', email_verified })
    const { app, browser } = await signedIn(provider)
    expect(await userOf(app, browser)).toMatchObject({ email })
  }
})

test('latchkey-kit leads back to paths of the app only', async ({ provider }) => {
  const cases: [string, string][] = [
    ['/notes', '/notes'],
    ['/notes?a=1&b=//x#part', '/notes?a=1&b=//x#part'],
    ['/é', '/%C3%A9'],
    ['/', '/'],
    ['', '/'],
    ['notes', '/'],
    ['//evil.example.com', '/'],
    ['///evil.example.com', '/'],
    ['/\\evil.example.com', '/'],
    ['\\\\evil.example.com', '/'],
    ['/notes\\..', '/'],
    ['/\t/evil.example.com', '/'],
    ['/\n/evil.example.com', '/'],
    ['/notes\r\nSet-Cookie: a=b', '/'],
    ['/\u0085/evil.example.com', '/'],
    ['https://evil.example.com/', '/'],
    ['javascript:alert(1)', '/'],
    [' /notes', '/'],
    // Resolves to a path that begins with two slashes, which stays at this origin in an absolute address.
    ['/.//evil.example.com', '//evil.example.com'],
    [`/${'x'.repeat(3000)}`, '/'],
  ]
  const { browser } = visit(provider)
  for (const [next, path] of cases) {
    const response = await browser.back(provider.answer(await browser.begin(next)))
    expect(response.headers.get('location'), next).toBe(`http://localhost:3000${path}`)
  }
  const without = await browser.send('/auth/sign-in')
  const response = await browser.back(provider.answer(without.headers.get('location') ?? ''))
  expect(response.headers.get('location')).toBe('http://localhost:3000/')
})

test('latchkey-kit signs in both of two tabs, and keeps the cookies of eight sign-ins under way at most', async ({
  provider,
}) => {
  const { app, browser } = visit(provider)
  const [first, second] = [await browser.begin('/one'), await browser.begin('/two')]
  for (const [location, path] of [
    [second, '/two'],
    [first, '/one'],
  ]) {
    const response = await browser.back(provider.answer(location ?? ''))
    expect(response.headers.get('location')).toBe(`http://localhost:3000${path}`)
  }
  expect(await userOf(app, browser)).toMatchObject({ username: 'ada' })
  const { browser: busy } = visit(provider)
  const oldest = await busy.begin()
  for (let count = 0; count < 8; count++) await busy.begin()
  expect(busy.cookies.size).toBe(8)
  expect((await busy.back(provider.answer(oldest))).status).toBe(400)
})

test('latchkey-kit starts nothing for a browser or router that only prepares a sign-in', async ({ provider }) => {
  for (const headers of [
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
    { 'next-router-prefetch': '1' },
    { rsc: '1' },
  ] as HeadersInit[]) {
    const { browser } = visit(provider)
    const response = await browser.send('/auth/sign-in?next=/notes', { headers })
    expect([response.status, browser.cookies.size], JSON.stringify(headers)).toEqual([204, 0])
  }
})

test('latchkey-kit answers five paths, each to one method, and leaves the others to the app', async ({ provider }) => {
  const { app, browser } = visit(provider)
  const paths = { 'sign-in': 'GET', callback: 'GET', 'sign-out': 'POST', me: 'GET', 'back-channel': 'POST' }
  for (const [path, allowed] of Object.entries(paths))
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      if (method === allowed) continue
      const response = await browser.send(`/auth/${path}`, { method })
      expect([response.status, response.headers.get('allow')], `${method} ${path}`).toEqual([405, allowed])
    }
  for (const path of [
    '/',
    '/auth',
    '/auth/',
    '/auth/sign-in/',
    '/auth/other',
    '/Auth/sign-in',
    '/x/auth/sign-in',
    '/constructor',
  ])
    expect(await app.handle(browser.request(path)), path).toBeNull()
})

test('latchkey-kit signs nobody out for a page of another origin', async ({ provider }) => {
  const { app, browser } = await signedIn(provider)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' },
    { origin: 'https://evil.example.com' },
    { origin: 'http://localhost:4000' },
    { origin: 'null' },
  ] as HeadersInit[]) {
    const response = await browser.send('/auth/sign-out', { method: 'POST', headers })
    expect(response.status, JSON.stringify(headers)).toBe(403)
  }
  expect(await userOf(app, browser)).not.toBeNull()
  const own = await browser.send('/auth/sign-out', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })
  expect([own.status, await userOf(app, browser)]).toEqual([303, null])
})

test('latchkey-kit marks its cookies for the app alone: __Host- and Secure on https', async ({ provider }) => {
  for (const [origin, prefixes, secure] of [
    ['http://localhost:3000', ['', ''], false],
    ['https://app.example.com', ['__Host-', '__Secure-'], true],
  ] as const) {
    const { browser } = visit(provider, { appUrl: origin }, origin)
    const began = await browser.send('/auth/sign-in')
    const response = await browser.back(provider.answer(began.headers.get('location') ?? ''))
    const [, session = '', idToken = ''] = response.headers.getSetCookie()
    const lines = [...began.headers.getSetCookie(), session, idToken]
    for (const line of lines)
      expect([line.includes('; HttpOnly; SameSite=Lax'), line.endsWith('; Secure')]).toEqual([true, secure])
    expect(session).toMatch(new RegExp(`^${prefixes[0]}latchkey-app-[\\da-f]{8}=[^;]+; Path=/; Max-Age=43200; `))
    expect(idToken).toMatch(new RegExp(`^${prefixes[1]}latchkey-app-[\\da-f]{8}-id=[^;]+; Path=/auth; Max-Age=43200; `))
    expect(began.headers.getSetCookie()[0]).toMatch(
      new RegExp(`^${prefixes[0]}latchkey-app-[\\da-f]{8}-s-[\\w-]{12}=[^;]+; Path=/; Max-Age=600; `),
    )
  }
})

test('latchkey-kit takes a cookie that does not decrypt, or that is for another purpose or app, for none', async ({
  provider,
}) => {
  const { app, browser } = await signedIn(provider)
  const [name = '', value = ''] = [...browser.cookies].find(([one]) => !one.endsWith('-id')) ?? []
  const idToken = [...browser.cookies].find(([one]) => one.endsWith('-id'))?.[1] ?? ''
  await browser.begin()
  const signIn = [...browser.cookies].find(([one]) => one.includes('-s-'))?.[1] ?? ''
  const as = (cookie: string, other = app) => other.auth(new Request('http://localhost:3000/', { headers: { cookie } }))
  expect(await as(`${name}=${value}`)).not.toBeNull()
  const flipped = value.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`)
  for (const bad of ['', 'x', flipped, value.slice(0, -1), idToken, signIn])
    expect(await as(`${name}=${bad}`), bad).toBeNull()
  expect(await as(`${name}=${value}`, appOf(provider, { sessionSecret: secret.toUpperCase() }))).toBeNull()
  // Another app on localhost, whose cookies this browser sends, too.
  const other = appOf(provider, { clientId: 'other' })
  expect(await as(`${name}=${value}`, other)).toBeNull()
  const begun = await other.handle(new Request('http://localhost:3000/auth/sign-in'))
  const [othersName = ''] = begun?.headers.getSetCookie()[0]?.split('-s-') ?? []
  expect(othersName).toMatch(/^latchkey-app-/)
  expect(await as(`${othersName}=${value}`, other)).toBeNull()
})

test('latchkey-kit ends a session after twelve hours, or sessionHours, and a sign-in after ten minutes', async ({
  provider,
}) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { app, browser } = await signedIn(provider)
  const short = await signedIn(provider, { sessionHours: 1 })
  const location = await browser.begin()
  const answer = provider.answer(location)
  mock.timers.tick(601_000)
  expect((await browser.back(answer)).status).toBe(400)
  mock.timers.tick(3600_000 - 602_000)
  expect(await userOf(short.app, short.browser)).not.toBeNull()
  mock.timers.tick(2_000)
  expect(await userOf(short.app, short.browser)).toBeNull()
  mock.timers.tick(11 * 3600_000 - 2_000)
  expect(await userOf(app, browser)).not.toBeNull()
  mock.timers.tick(2_000)
  expect(await userOf(app, browser)).toBeNull()
})

test('latchkey-kit ends a sign-in whose cookie a browser would drop at a page that says what to leave out', async ({
  provider,
}) => {
  const groups = (count: number) => Array.from({ length: count }, (_, at) => `a-group-with-a-long-name-${at}`)
  provider.claims.groups = groups(60)
  const { browser } = await signedIn(provider)
  for (const [name, value] of browser.cookies) expect(name.length + 1 + value.length).toBeLessThanOrEqual(4096)
  // The ID token, which has them in base64 twice, may not fit earlier; a sign-out then names the app alone.
  provider.claims.groups = groups(80)
  const { browser: full } = await signedIn(provider)
  expect([...full.cookies.keys()].filter((name) => name.endsWith('-id'))).toEqual([])
  expect(full.cookies.size).toBe(1)
  const end = (await full.send('/auth/sign-out', { method: 'POST' })).headers.get('location') ?? ''
  expect(new URL(end).searchParams.get('client_id')).toBe('notes')
  provider.claims.groups = groups(120)
  const { app, browser: crowded } = visit(provider)
  const response = await crowded.back(provider.answer(await crowded.begin()))
  expect(response.status).toBe(400)
  const page = await response.text()
  expect(page).toContain('groups is too long')
  expect(page).toContain('latchkey({ scope: &#39;openid profile email&#39; })')
  expect(await userOf(app, crowded)).toBeNull()
  const { browser: lean } = visit(provider, { scope: 'openid profile' })
  expect(new URL(await lean.begin()).searchParams.get('scope')).toBe('openid profile')
})

test('latchkey-kit leads a page to the sign-in and back, and tells a call of an API in JSON', async ({ provider }) => {
  const { app, browser } = await signedIn(provider)
  provider.claims.groups = ['family']
  const member = await signedIn(provider)
  const get = { accept: 'text/html,*/*' }
  const cases: [string, RequestInit, number, string | null][] = [
    ['/notes?page=2', { headers: { 'sec-fetch-mode': 'navigate', ...get } }, 303, '/notes?page=2'],
    ['/notes', { headers: get }, 303, '/notes'],
    // As curl sends it.
    ['/notes', { headers: { accept: '*/*' } }, 303, '/notes'],
    [
      '/notes',
      { method: 'POST', headers: { 'sec-fetch-mode': 'navigate', referer: 'http://localhost:3000/form?a=1' } },
      303,
      '/form?a=1',
    ],
    ['/notes', { method: 'POST', headers: { ...get, referer: 'https://evil.example.com/x' } }, 303, '/'],
    ['/notes', { headers: { 'sec-fetch-mode': 'cors', ...get } }, 401, null],
    ['/notes', { headers: { accept: 'application/json' } }, 401, null],
    ['/notes', { method: 'POST', headers: { accept: '*/*' } }, 401, null],
    ['/notes', { headers: { authorization: 'Bearer x', ...get } }, 401, null],
    ['/api/notes', { headers: { accept: '*/*' } }, 401, null],
  ]
  for (const [path, init, status, next] of cases) {
    const stranger = new Request(new URL(path, 'http://localhost:3000'), init)
    const response = await thrown(app.requireUser(stranger))
    expect(response.status, path).toBe(status)
    if (next === null) expect(await response.json()).toEqual({ error: 'not_signed_in' })
    else expect(response.headers.get('location')).toBe(`/auth/sign-in?${new URLSearchParams({ next })}`)
    const refused = await thrown(app.requireUser(browser.request(path, init), { group: 'family' }))
    expect([refused.status, refused.headers.get('content-type')?.split(';')[0]]).toEqual([
      403,
      next === null ? 'application/json' : 'text/html',
    ])
    expect(await member.app.requireUser(member.browser.request(path, init), { group: 'family' })).toMatchObject({
      groups: ['family'],
    })
  }
})

test('latchkey-kit says of each setting that is missing or wrong how to mend it, on the page in development, in the log in production', async ({
  provider,
  logged,
}) => {
  const good = { issuer: provider.issuer, clientId: 'notes', clientSecret: 'secret', sessionSecret: secret }
  const cases: [Options, string][] = [
    [{ ...good, issuer: '' }, 'LATCHKEY_ISSUER is not set. Run: npx latchkey-kit init'],
    [{ ...good, issuer: 'localhost:3001' }, 'LATCHKEY_ISSUER is "localhost:3001", which is no address'],
    [{ ...good, issuer: 'http://id.example.com' }, 'Set LATCHKEY_ISSUER=https://id.example.com'],
    [{ ...good, issuer: `${provider.issuer}/other` }, 'something else than an OpenID provider answers'],
    [{ ...good, issuer: provider.issuer.replace('localhost', '127.0.0.1') }, `Set LATCHKEY_ISSUER=${provider.issuer}`],
    [{ ...good, issuer: 'http://localhost:1' }, 'nothing answers. Start Latchkey: npx latchkey dev'],
    [{ ...good, clientId: '' }, 'LATCHKEY_CLIENT_ID is not set. Run: npx latchkey-kit init'],
    [{ ...good, clientSecret: '' }, 'npx latchkey dev accounts app new-secret notes'],
    [
      { ...good, sessionSecret: '' },
      'LATCHKEY_SESSION_SECRET is not set. Set it to what this prints: openssl rand -base64 32',
    ],
    [{ ...good, sessionSecret: 'short' }, 'LATCHKEY_SESSION_SECRET is shorter than 32 characters'],
    [{ ...good, appUrl: 'https://app.example.com/notes' }, 'without a path'],
    [{ ...good, appUrl: 'http://app.example.com' }, 'Set LATCHKEY_APP_URL=https://app.example.com'],
    [{ ...good, sessionHours: 0 }, 'sessionHours is 0'],
  ]
  for (const [options, sentence] of cases) {
    const app = latchkey(options)
    const response = await new Browser(app.handle).send('/auth/sign-in')
    expect(response.status, sentence).toBe(500)
    const page = (await response.text()).replaceAll('&quot;', '"')
    expect(page).toContain(sentence)
    expect(page).not.toContain(secret)
    expect(logged.join('\n')).toContain(sentence)
    expect(await app.auth(new Request('http://localhost:3000/'))).toBeNull()
  }
  const environment: Record<string, string | undefined> = process.env
  const { NODE_ENV } = environment
  try {
    environment.NODE_ENV = 'production'
    logged.length = 0
    const response = await new Browser(latchkey({ issuer: 'http://localhost:1' }).handle).send('/auth/sign-in')
    expect(await response.text()).not.toContain('LATCHKEY')
    for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'SESSION_SECRET'])
      expect(logged.join('\n')).toContain(`LATCHKEY_${name} is not set`)
  } finally {
    if (NODE_ENV === undefined) delete environment.NODE_ENV
    else environment.NODE_ENV = NODE_ENV
  }
})

test('latchkey-kit says what to do about a client secret that the provider does not take, and shows no markup of an answer', async ({
  provider,
  logged,
}) => {
  const { browser } = visit(provider)
  const answer = provider.answer(await browser.begin())
  provider.lies.token = { status: 401, body: { error: 'invalid_client' } }
  const response = await browser.back(answer)
  expect(await response.text()).toContain('npx latchkey dev accounts app new-secret notes')
  const second = provider.answer(await browser.begin())
  provider.lies.token = {
    status: 400,
    body: { error: 'invalid_request', error_description: '<script>alert(1)</script>' },
  }
  expect(await (await browser.back(second)).text()).not.toContain('<script>')
  expect(logged).toHaveLength(2)
  expect(logged.join('')).not.toContain('\n')
  const state = new URL(await browser.begin()).searchParams.get('state') ?? ''
  const cancelled = await browser.back(new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer }))
  expect([cancelled.status, (await cancelled.text()).includes('You were not signed in')]).toEqual([400, true])
})

test("latchkey-kit takes the app's origin from LATCHKEY_APP_URL, else from a Host on this device, and never from headers of a proxy", async ({
  provider,
}) => {
  const redirectUri = async (host: string, headers: Record<string, string> = {}, options: Options = {}) => {
    const { app } = visit(provider, options)
    const response = await app.handle(new Request(`http://${host}/auth/sign-in`, { headers: { host, ...headers } }))
    const location = response?.headers.get('location')
    return location ? new URL(location).searchParams.get('redirect_uri') : response?.status
  }
  const forwarded = {
    'x-forwarded-host': 'evil.example.com',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example.com;proto=https',
  }
  for (const host of ['localhost:3000', '127.0.0.1:8080', '[::1]:3000', 'notes.localhost:3000'])
    expect(await redirectUri(host, forwarded)).toBe(`http://${host}/auth/callback`)
  for (const host of ['app.example.com', 'localhost.example.com', '127.0.0.1.example.com', '10.0.0.1'])
    expect(await redirectUri(host, { ...forwarded, 'x-forwarded-host': 'localhost' }), host).toBe(500)
  const appUrl = 'https://app.example.com'
  expect(await redirectUri('localhost:3000', forwarded, { appUrl })).toBe(`${appUrl}/auth/callback`)
})

test('latchkey-kit ends the sessions that a valid logout token names, where it has a store', async ({ provider }) => {
  const kept = new Map<string, string>()
  const store: Store = { get: async (key) => kept.get(key), set: async (key, value) => kept.set(key, value) }
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const now = () => Math.floor(Date.now() / 1000)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const claims = () => ({
    iss: provider.issuer,
    aud: 'notes',
    iat: now(),
    exp: now() + 120,
    jti: 'one',
    events,
    sid: 'session-1',
  })
  const post = async (browser: Browser, token: string) =>
    (await browser.send('/auth/back-channel', { method: 'POST', body: new URLSearchParams({ logout_token: token }) }))
      .status

  const without = await signedIn(provider)
  expect(await post(without.browser, await provider.sign(claims()))).toBe(404)
  const { app, browser } = await signedIn(provider, { store })
  const bad: object[] = [
    { events: undefined },
    { events: { other: {} } },
    { events: { 'http://schemas.openid.net/event/backchannel-logout': 'x' } },
    { nonce: 'x' },
    { sid: undefined },
    { aud: 'another-app' },
    { iss: 'https://evil.example.com' },
    { exp: now() - 60 },
    { jti: undefined },
    { iat: undefined },
  ]
  for (const change of bad)
    expect(await post(browser, await provider.sign({ ...claims(), ...change })), JSON.stringify(change)).toBe(400)
  provider.lies.signature = 'other'
  expect(await post(browser, await provider.sign(claims()))).toBe(400)
  provider.lies.signature = undefined
  expect(await post(browser, 'x')).toBe(400)
  expect(await post(browser, 'x'.repeat(70_000))).toBe(413)
  expect(await userOf(app, browser)).not.toBeNull()

  expect(await post(browser, await provider.sign({ ...claims(), sid: 'another' }))).toBe(200)
  expect(await userOf(app, browser)).not.toBeNull()
  expect(await post(browser, await provider.sign(claims()))).toBe(200)
  expect(await userOf(app, browser)).toBeNull()
  mock.timers.tick(2_000)
  // The provider keeps its own session's name for the next sign-in.
  await browser.back(provider.answer(await browser.begin()))
  expect(await userOf(app, browser)).not.toBeNull()
  // Without `sid`, it is all of the person's.
  expect(await post(browser, await provider.sign({ ...claims(), sid: undefined, sub: 'person-1' } as never))).toBe(200)
  expect(await userOf(app, browser)).toBeNull()
})

test('latchkey-kit renews a session by one request at a time, and ends one that the provider renews no more', async ({
  provider,
}) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { app, browser } = await signedIn(provider, { offline: true })
  expect(new URL(await browser.begin()).searchParams.get('scope')).toContain('offline_access')
  const asked = () => provider.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token').length
  expect((await app.renew(browser.request('/'))).cookies).toEqual([])
  expect(asked()).toBe(0)

  mock.timers.tick(301_000)
  provider.claims.groups = ['family']
  const me = () => browser.send('/auth/me').then((response) => response.json())
  expect((await app.renew(browser.request('/'), () => false)).cookies).toEqual([])
  const many = Array.from({ length: 10 }, () => app.renew(browser.request('/')))
  for (const { user, cookies } of await Promise.all(many))
    expect([user?.groups, cookies.length]).toEqual([['family'], 2])
  // One that comes later, still with the old cookie.
  expect(await me()).toMatchObject({ user: { groups: ['family'] } })
  expect(asked()).toBe(1)

  mock.timers.tick(301_000)
  provider.lies.down = true
  expect(await me()).toMatchObject({ user: { groups: ['family'] } })
  provider.lies.down = false
  mock.timers.tick(61_000)
  provider.lies.idToken = { sub: 'person-2' }
  expect(await me()).toMatchObject({ user: { id: 'person-1' } })
  provider.lies.idToken = undefined
  mock.timers.tick(61_000)
  provider.lies.token = { status: 400, body: { error: 'invalid_grant' } }
  expect(await me()).toEqual({ user: null })
  expect(await userOf(app, browser)).toBeNull()
})

test('latchkey-kit lets no cache keep a response on which it renews a session, whatever the app or its framework says of it', async ({
  provider,
}) => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const options = { ...settingsOf(provider), offline: true }
  const { browser } = await signedIn(provider, options)
  const cached = {
    'Cache-Control': 'public, max-age=60',
    'CDN-Cache-Control': 'max-age=60',
    'Cloudflare-CDN-Cache-Control': 'max-age=60',
    'Surrogate-Control': 'max-age=60',
    'X-Own': 'kept',
  }
  const signsIn = express(options)
  const server = createServer((request, response) => {
    void signsIn(request, response, () => {
      if (request.url !== '/pairs') response.setHeader('Cache-Control', 'public')
      if (request.url === '/set') for (const [name, value] of Object.entries(cached)) response.setHeader(name, value)
      else response.writeHead(200, request.url === '/pairs' ? Object.entries(cached).flat() : cached)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const app = new Hono().use(hono(options)).get('/', (c) => c.body('', 200, cached))
  const frozen = () => new Response('', { headers: cached })
  const answers: [string, () => Promise<Response>][] = [
    ...['/set', '/object', '/pairs'].map((path): [string, () => Promise<Response>] => [
      path,
      async () => fetch(`http://localhost:${port}${path}`, { headers: browser.request('/').headers }),
    ]),
    ['hono', async () => app.request(browser.request('/'))],
    ['web', async () => withCookies(frozen(), (await latchkey(options).renew(browser.request('/'))).cookies)],
    ['next', () => next(options).proxy(new NextRequest(browser.request('/')))],
  ]
  for (const [name, answer] of answers) {
    const usual = await answer()
    expect(usual.headers.getSetCookie(), name).toEqual([])
    expect(usual.headers.get('cache-control'), name).toBe(name === 'next' ? null : 'public, max-age=60')
  }
  mock.timers.tick(301_000)
  for (const [name, answer] of answers) {
    const { headers } = await answer()
    expect(headers.getSetCookie(), name).toHaveLength(2)
    const own = ['cache-control', 'cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control', 'x-own']
    expect(
      own.map((name) => headers.get(name)),
      name,
    ).toEqual(['private, no-store', null, null, null, name === 'next' ? null : 'kept'])
  }
  server.close()
})

test('latchkey-kit revokes the refresh token of somebody who signs out', async ({ provider }) => {
  const { browser } = await signedIn(provider, { offline: true })
  await browser.send('/auth/sign-out', { method: 'POST' })
  expect(provider.revoked).toEqual(['refresh-1'])
})
