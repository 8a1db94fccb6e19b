import { hash, randomBytes } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { identity, identityIn, type Seen, testBehind } from '../../support/network/proxied-app'
import { headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import { type ReverseProxy, startProxy } from '../../support/network/reverse-proxies'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { accountsJson } from '../../support/operator/accounts-command'
import { executeSql } from '../../support/storage/sql'
import { accessCookieOf, SIBLINGS, WIKI } from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

const ID = SIBLINGS.APP_ORIGIN
const [appHost, idHost, wikiHost] = [APP, ID, WIKI].map((origin) => new URL(origin).host) as [string, string, string]
const asPage = { Accept: 'text/html,application/xhtml+xml' }

/** The names under which apps look for an identity; PHP and WSGI take `_` and `.` for `-`. */
const NAMES = [
  ...['Remote-User', 'Remote-User-Id', 'Remote-Groups', 'Remote-Method'],
  ...['REMOTE-USER', 'Remote_User', 'Remote.User', 'Remote_Groups', 'Remote.Groups'],
  ...['Remote-Name', 'Remote-Email'],
]
const FORGED = Object.fromEntries(NAMES.map((name) => [name, 'admin']))

/** What a client could say of the request, and apps believe. */
const FORGED_REQUEST = {
  'X-Forwarded-For': '203.0.113.9',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'http',
  'X-Forwarded-Port': '81',
  'X-Forwarded-Prefix': '/evil',
  'X-Real-IP': '203.0.113.9',
  Forwarded: 'for=203.0.113.9;host=evil.example;proto=http',
}

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

const headerOf = ({ headers }: Seen, name: string) => headers.find((header) => header[0] === name)?.[1]

/** Sends a request and keeps the connection. `until` waits for what comes back to have this in it. */
function converse({ port, certificate }: ReverseProxy, target: string, headers: Record<string, string>) {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port, servername: appHost, ca: certificate.pem })
  let received = ''
  socket.on('data', (chunk) => (received += chunk.toString('latin1')))
  socket.on('error', (error) => (received += error.message))
  socket.write(rawRequest('GET', target, { Host: appHost, ...headers }))
  const until = (text: string) => expect.poll(() => received).toContain(text)
  return { socket, until }
}

const HANDSHAKE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
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

  test(`${name} passes on no identity that a client claims`, async ({ reverseProxy, server, app }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const claimed = { ...FORGED, ...FORGED_REQUEST }
    const answer = await reverseProxy.ask(appHost, 'GET', '/', { ...claimed, ...accessCookieOf(client) })
    expect(statusOf(answer)).toBe(200)
    expect(identityIn(app.last())).toEqual(identity(who, 'pwd'))
    expect(app.last().headers).toContainEqual(['x-forwarded-for', '127.0.0.1'])
    expect(app.last().headers).toContainEqual(['x-forwarded-host', appHost])
    expect(app.last().headers).toContainEqual(['x-forwarded-proto', 'https'])
    const forged = Object.values(FORGED_REQUEST)
    expect(app.last().headers.filter(([, value]) => forged.includes(value))).toEqual([])
    // The app's own parameter is not Latchkey's.
    const target = '/photos?group=Summer%20of%2069&a=b'
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', target, accessCookieOf(client)))).toBe(200)
    expect(app.last().url).toBe(target)
    // The proxy's headers must not reach its client, where a script of the app could read them.
    for (const path of ['/', '/latchkey/ask', '/latchkey/sign-in'])
      expect(await reverseProxy.ask(appHost, 'GET', path, accessCookieOf(client))).not.toContain(who.username)
    const before = app.seen.length
    for (const headers of [FORGED, { ...FORGED, Cookie: '__Secure-access=forged', Authorization: 'Bearer forged' }])
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', headers))).toBe(401)
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} hands the app ninety groups with long names`, async ({ reverseProxy, server, app }) => {
    const client = new Client(server)
    const { id } = await signUp(client)
    const groups = Array.from({ length: 90 }, (_, number) => `${name}-${number}-`.padEnd(64, 'x')).sort()
    const rows = (row: (group: string) => string) => groups.map(row).join()
    executeSql(server.databaseUrl, `INSERT INTO "Group" ("name") VALUES ${rows((group) => `('${group}')`)}`)
    const members = rows((group) => `('${id}', '${group}')`)
    executeSql(server.databaseUrl, `INSERT INTO "Membership" ("userId", "groupName") VALUES ${members}`)
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/', accessCookieOf(client)))).toBe(200)
    expect(headerOf(app.last(), 'remote-groups')).toBe(groups.join())
  })

  test(`${name} refuses a request whose Connection header names one of the app's headers for its visitor`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const before = app.seen.length
    const named = ['Remote-User', 'Remote-Groups', 'remote-user-id', 'REMOTE_USER']
    for (const Connection of named.map((one) => `close, ${one}`))
      expect(
        statusOf(await reverseProxy.ask(appHost, 'GET', '/', { ...accessCookieOf(client), Connection })),
        Connection,
      ).toBe(400)
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} carries uploads of 20 MB to the app, whole or in chunks, and answers a stranger's with 401`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const size = 20 * 1024 * 1024
    const body = 'x'.repeat(size)
    const chunked = { 'Transfer-Encoding': 'chunked' }
    const chunks = `${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const access = accessCookieOf(client)
    const upload = (headers: Record<string, string>, sent: string) =>
      reverseProxy.ask(appHost, 'POST', '/upload', headers, sent)
    for (const answer of [await upload(access, body), await upload({ ...access, ...chunked }, chunks)]) {
      expect(statusOf(answer), answer).toBe(200)
      expect(answer).toContain(String(size))
    }
    const before = app.seen.length
    // Its head says how long it is, and nobody waits for it.
    const refused = [await upload({}, 'a=b'), await upload({ 'Content-Length': String(size) }, '')]
    expect(refused.map(statusOf)).toEqual([401, 401])
    expect(app.seen).toHaveLength(before)
  })

  test(`${name} carries an address of 8 kB to the app, and a stranger to sign in and back to it`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    await signUp(client)
    for (const length of [3_000, 8_192]) {
      const target = '/page?x='.padEnd(length, 'y')
      // As a link from the page itself has it.
      const headers = { ...asPage, Referer: APP + target }
      expect(statusOf(await reverseProxy.ask(appHost, 'GET', target, { ...headers, ...accessCookieOf(client) }))).toBe(
        200,
      )
      expect(app.last().url).toBe(target)
      const next = new URLSearchParams({ next: APP + target })
      const led = await reverseProxy.ask(appHost, 'GET', target, headers)
      expect([statusOf(led), headersOf(led).location]).toEqual([303, [`${ID}/api/access?${next}`]])
      const signIn = await reverseProxy.ask(idHost, 'GET', `/api/access?${next}`)
      expect([statusOf(signIn), headersOf(signIn).location]).toEqual([303, [`/signin?${next}`]])
      const session = { Cookie: `__Host-session=${client.jar.get('__Host-session')}` }
      const back = await reverseProxy.ask(idHost, 'GET', `/api/access?${next}`, session)
      expect([statusOf(back), headersOf(back).location]).toEqual([303, [APP + target]])
    }
    // Encoded once more, this one is too long for Latchkey: the person comes back to the app all the same.
    const led = await reverseProxy.ask(appHost, 'GET', `/?x=${'%E3%81'.repeat(1_300)}`, asPage)
    expect(headersOf(led).location).toEqual([`${ID}/api/access?${new URLSearchParams({ next: `${APP}/` })}`])
  })

  test(`${name} carries a WebSocket to the app, and no other upgrade`, async ({ reverseProxy, server, app }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const before = app.seen.length
    expect(
      statusOf(await reverseProxy.ask(appHost, 'GET', '/socket', { ...HANDSHAKE, Connection: 'Upgrade, close' })),
    ).toBe(401)
    expect(app.seen).toHaveLength(before)
    const { socket, until } = converse(reverseProxy, '/socket', { ...accessCookieOf(client), ...HANDSHAKE })
    const accept = hash('sha1', `${HANDSHAKE['Sec-WebSocket-Key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`, 'base64')
    await until(`Sec-WebSocket-Accept: ${accept}`.replace('WebSocket', name === 'caddy' ? 'Websocket' : 'WebSocket'))
    expect(identityIn(app.last())).toEqual(identity(who, 'pwd'))
    // A masked frame (RFC 6455 section 5.3), with a mask of zeros.
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | 5, 0, 0, 0, 0]), Buffer.from('hello')]))
    await until('HELLO')
    socket.destroy()
    const h2c = { Connection: 'Upgrade, HTTP2-Settings, close', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQ' }
    expect(statusOf(await reverseProxy.ask(appHost, 'GET', '/h2c', { ...accessCookieOf(client), ...h2c }))).toBe(200)
    expect([app.last().url, headerOf(app.last(), 'upgrade')]).toEqual(['/h2c', undefined])
  })

  test(`${name} carries each event of a stream as the app sends it`, async ({ reverseProxy, server }) => {
    const client = new Client(server)
    await signUp(client)
    const headers = { ...accessCookieOf(client), Accept: 'text/event-stream' }
    const { socket, until } = converse(reverseProxy, '/events', headers)
    await until('data: first')
    await reverseProxy.ask(appHost, 'GET', '/second', accessCookieOf(client))
    await until('data: second')
    socket.destroy()
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

  test(`${name} lets a browser's preflight through where its operator says so, and nothing else`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const open = await startProxy(name, server.port, app.port, [], true)
    try {
      const preflight = { Origin: WIKI, 'Access-Control-Request-Method': 'PUT' }
      expect(statusOf(await reverseProxy.ask(appHost, 'OPTIONS', '/', preflight))).toBe(401)
      const before = app.seen.length
      expect(statusOf(await open.ask(appHost, 'OPTIONS', '/shared', { ...preflight, ...FORGED }))).toBe(200)
      expect([app.last().url, identityIn(app.last())]).toEqual(['/shared', []])
      const others = [
        await open.ask(appHost, 'OPTIONS', '/', { Origin: WIKI }),
        await open.ask(appHost, 'GET', '/', preflight),
        await open.ask(appHost, 'PUT', '/', preflight, 'a=b'),
        await open.ask(appHost, 'OPTIONS', '/', preflight, 'a=b'),
      ]
      expect(others.map(statusOf)).toEqual([401, 401, 401, 401])
      expect(app.seen).toHaveLength(before + 1)
    } finally {
      await open.stop()
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
    for (const target of ['//double', '//evil.example/x', '///', '/%2f', '/.//x', '/%5cevil.example']) {
      const answer = await reverseProxy.ask(appHost, 'GET', target, asPage)
      expect(statusOf(answer), target).toBe(303)
      expectHarmless(answer, target)
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
