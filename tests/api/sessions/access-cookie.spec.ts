import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { changeUsername, register, signInWithPassword, signUp, signUpWithPasskey } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { type Change, now, resign, unsecured } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import {
  accessCookieIn,
  accessCookieOf,
  askForwardAuth,
  expectIdentity,
  expectNobody,
  forPage,
  SIBLINGS,
  test,
} from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

// Every other end of a session is found by the same condition, which the specs of sessions try.
test('a copied access cookie is worth nothing after signing out @promise', async ({ server }) => {
  const client = new Client(server)
  const who = await signUp(client)
  const cookie = accessCookieOf(client)
  expectIdentity(await askForwardAuth(server, { ...cookie, ...forPage(APP) }), who)
  await client.post('/api/signout')
  const { Accept, ...asked } = forPage(APP)
  expectNobody(await askForwardAuth(server, { ...cookie, ...asked }))
})

test('forward-auth takes no access cookie that names no session, another epoch, or a passkey that is gone @promise', async ({
  server,
}) => {
  const client = new Client(server)
  const who = await signUp(client)
  const token = client.jar.get('__Secure-access') ?? ''
  const ask = async (claims: Record<string, unknown>) =>
    askForwardAuth(server, { Cookie: `__Secure-access=${await resign(token, server.secret, { claims })}` })
  expectIdentity(await ask({}), who)
  const { epoch } = decodeJwt<{ epoch: number }>(token)
  for (const claims of [{ sid: undefined }, { epoch: undefined }, { epoch: epoch + 1 }, { epoch: -1 }, { pk: 'gone' }])
    expectNobody(await ask(claims))
})

test('the access cookie names its session and no username @promise', async ({ server }) => {
  const client = new Client(server)
  const { username, token } = await signUp(client)
  const { jti: sid, epoch, sub } = decodeJwt(token)
  const claims = decodeJwt(client.jar.get('__Secure-access') ?? '')
  expect(claims).toMatchObject({ sid, epoch, sub })
  expect(claims).not.toHaveProperty('preferred_username')
  expect(JSON.stringify(claims)).not.toContain(username)
  // One that /api/access renews keeps to the same session.
  await client.get('/api/access')
  expect(decodeJwt(client.jar.get('__Secure-access') ?? '')).toMatchObject({ sid, epoch })
})

test.describe('an access cookie', () => {
  const FORGERIES: Record<string, Change> = {
    'that has expired': { claims: { iat: now() - 400, exp: now() - 100 } },
    'without expiry': { claims: { exp: undefined } },
    'of another type': { header: { typ: 'session+jwt' } },
    'of no type': { header: { typ: undefined } },
    'of an account that does not exist': { claims: { sub: 'AAAAAAAAAAAAAAAAAAAAAA' } },
    'signed with the key of sessions': { keyOf: 'session' },
    'signed with the key of another type': { keyOf: 'step-up' },
    'signed under another secret': { secret: randomBytes(48).toString('base64') },
  }

  for (const [what, change] of Object.entries(FORGERIES)) {
    test(`forward-auth takes no access cookie ${what} @promise`, async ({ server }) => {
      const client = new Client(server)
      const who = await signUp(client)
      const token = client.jar.get('__Secure-access') ?? ''
      const good = await resign(token, server.secret)
      expectIdentity(await askForwardAuth(server, { Cookie: `__Secure-access=${good}`, ...forPage(APP) }), who)
      const forged = await resign(token, server.secret, change)
      const { Accept, ...asked } = forPage(APP)
      expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${forged}`, ...asked }))
      expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${forged}` }))
    })
  }

  test('forward-auth takes neither a token of /api/token nor a session in place of the access cookie @promise', async ({
    server,
  }) => {
    const client = new Client(server)
    const { token: session } = await signUp(client)
    const { token } = (await client.post('/api/token', { audience: APP })).body
    for (const value of [token, session, unsecured(client.jar.get('__Secure-access') ?? '')])
      expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${value}` }))
  })

  test('an access cookie ends with its account, and names it as it is called now', async ({ server }) => {
    const client = new Client(server)
    const who = await signUp(client)
    const cookie = accessCookieOf(client)
    const username = `${who.username}-2`
    expect((await changeUsername(client, username)).status).toBe(200)
    expectIdentity(await askForwardAuth(server, cookie), { id: who.id, username })
    expect((await client.post('/api/i/delete')).status).toBe(204)
    expectNobody(await askForwardAuth(server, cookie))
  })

  test('every answer that opens a session sets the access cookie, and sign-out clears it', async ({ server }) => {
    const authenticator = new Authenticator(server.origin)
    const client = new Client(server, { page: true })
    const { id, username, answer } = await signUp(client)
    const opened = [answer, await signInWithPassword(client, username)]
    opened.push((await signUpWithPasskey(new Client(server), authenticator)).answer)
    opened.push(await client.post('/api/i/signout-everywhere', { exceptThis: true }))
    expect(decodeJwt(accessCookieIn(answer)?.value ?? '')).toMatchObject({ sub: id, amr: ['pwd'] })
    for (const { cookies, ...each } of opened) {
      const access = accessCookieIn({ cookies, ...each })
      const session = cookies.find(({ name }) => name === '__Host-session')
      const { exp, jti } = decodeJwt(session?.value ?? '')
      expect(decodeJwt(access?.value ?? '')).toMatchObject({ sid: jti, exp })
      const [seconds = 0, ofSession = 0] = [access, session].map((cookie) => Number(cookie?.attributes['max-age']))
      // A second or two may pass between the two.
      expect(Math.abs(seconds - ofSession)).toBeLessThan(60)
    }
    // Adding a passkey opens no session.
    await signInWithPassword(client, username)
    expect((await register(client, new Authenticator(server.origin))).cookies).toEqual([])
    for (const path of ['/api/signout', '/api/signout', '/api/i/signout-everywhere', '/api/i/delete']) {
      if (path !== '/api/signout') await signInWithPassword(client, username)
      expect(accessCookieIn(await client.post(path)), path).toMatchObject({ value: '', attributes: { 'max-age': '0' } })
      expect(client.jar.has('__Secure-access')).toBe(false)
    }
  })

  test('an access cookie of eighty apps is one that browsers keep, and forward-auth takes it at the last', async ({
    start,
  }) => {
    const apps = Array.from({ length: 80 }, (_, number) => `https://a-rather-long-name-of-an-app-${number}.example.com`)
    const server = await start({ env: { ...SIBLINGS, CLIENT_ORIGINS: apps.join() } })
    const client = new Client(server)
    const who = await signUp(client)
    // RFC 6265bis: name and value have 4,096 bytes at most.
    expect(`__Secure-access${client.jar.get('__Secure-access')}`.length).toBeLessThan(1024)
    expectIdentity(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage(apps.at(-1) ?? '') }), who)
  })

  test('without ACCESS_COOKIE_DOMAIN no access cookie is set or taken', async ({ start, server }) => {
    const { ACCESS_COOKIE_DOMAIN, ...env } = SIBLINGS
    const without = await start({ env: { ...env, JWT_SECRET: server.secret } })
    const elsewhere = new Client(server)
    await signUp(elsewhere)
    const client = new Client(without)
    const { answer, id } = await signUp(client)
    expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session'])
    const token = await resign(elsewhere.jar.get('__Secure-access') ?? '', server.secret, { claims: { sub: id } })
    expectNobody(await askForwardAuth(without, { Cookie: `__Secure-access=${token}` }))
    expectNobody(await askForwardAuth(without, forPage(APP)))
    expect((await client.post('/api/signout')).cookies.map(({ name }) => name)).toEqual(['__Host-session'])
  })
})
