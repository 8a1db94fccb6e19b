import { decodeJwt, generateKeyPair } from 'jose'
import {
  authenticate,
  changePassword,
  changeUsername,
  createRecoveryCodes,
  NEW_PASSWORD,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { accounts } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { type AccessTokenChange, resignAccess } from '../../support/tokens/access-tokens'
import { now, unsecured } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'
import {
  accessCookieIn,
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
} from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

/** Somebody with a copy of the access cookie of a second browser, which signs in as `open` says. */
async function copyOf(server: Server, open: (client: Client, username: string, own: Client) => Promise<unknown>) {
  const own = new Client(server)
  const who = await signUp(own)
  const client = new Client(server)
  await open(client, who.username, own)
  const cookie = accessCookieOf(client)
  const { Accept, ...app } = forPage(APP)
  return { own, client, who, ask: () => askForwardAuth(server, { ...cookie, ...app }) }
}

const byPassword = (client: Client, username: string) => signInWithPassword(client, username)

const ENDINGS: Record<
  string,
  (ended: { own: Client; client: Client; server: Server; id: string; username: string }) => Promise<unknown>
> = {
  'signing out': ({ client }) => client.post('/api/signout'),
  'signing out everywhere': ({ own }) => own.post('/api/i/signout-everywhere'),
  'signing out everywhere else': ({ own }) => own.post('/api/i/signout-everywhere', { exceptThis: true }),
  'ending that session from the list': async ({ own }) => {
    const { sessions } = (await own.post('/api/i/sessions')).body
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    expect((await own.post('/api/i/sessions/revoke', { id })).status).toBe(204)
  },
  'a change of the password': ({ own }) => changePassword(own, NEW_PASSWORD, PASSWORD),
  'removing the password that opened it': async ({ own, server }) => {
    await register(own, new Authenticator(server.origin))
    expect((await own.post('/api/i/password/remove')).status).toBe(204)
  },
  'a newer sign-in in the same browser': ({ client, username }) => byPassword(client, username),
  'disabling the account': ({ server, id }) => accounts(server, 'disable', id),
  'disabling and enabling the account': async ({ server, id }) => {
    await accounts(server, 'disable', id)
    await accounts(server, 'enable', id)
  },
  'deleting the account': ({ own }) => own.post('/api/i/delete'),
}

for (const [ending, end] of Object.entries(ENDINGS)) {
  test(`a copied access cookie is worth nothing after ${ending}`, async ({ server }) => {
    const { own, client, who, ask } = await copyOf(server, byPassword)
    expectIdentity(await ask(), who)
    await end({ own, client, server, ...who })
    expectNobody(await ask())
  })
}

test('a copied access cookie is worth nothing after the passkey that opened its session was removed', async ({
  server,
}) => {
  const authenticator = new Authenticator(server.origin)
  const { own, who, ask } = await copyOf(server, async (client, username, own) => {
    await register(own, authenticator)
    await authenticate(client, authenticator, username)
  })
  expectIdentity(await ask(), who, 'passkey')
  const id = authenticator.passkeys[0]?.id
  expect((await own.post('/api/i/passkeys/remove', { id })).status).toBe(204)
  expectNobody(await ask())
})

test('a copied access cookie is worth nothing after the codes that opened its session were replaced', async ({
  server,
}) => {
  const { own, who, ask } = await copyOf(server, async (client, username, own) => {
    const [code] = await createRecoveryCodes(own)
    await signInWithRecoveryCode(client, username, code)
  })
  expectIdentity(await ask(), who, 'recovery')
  await createRecoveryCodes(own)
  expectNobody(await ask())
})

test('forward-auth takes no access cookie that names no session, another epoch, or a passkey that is gone', async ({
  server,
}) => {
  const client = new Client(server)
  const who = await signUp(client)
  const token = client.jar.get('__Secure-access') ?? ''
  const ask = async (claims: Record<string, unknown>) =>
    askForwardAuth(server, { Cookie: `__Secure-access=${await resignAccess(token, server.secret, { claims })}` })
  expectIdentity(await ask({}), who)
  const { epoch } = decodeJwt<{ epoch: number }>(token)
  for (const claims of [{ sid: undefined }, { epoch: undefined }, { epoch: epoch + 1 }, { epoch: -1 }, { pk: 'gone' }])
    expectNobody(await ask(claims))
})

test('forward-auth takes no access cookie of a disabled account, whatever epoch it names', async ({ server }) => {
  const client = new Client(server)
  const { id } = await signUp(client)
  const token = client.jar.get('__Secure-access') ?? ''
  await accounts(server, 'disable', id)
  const { epoch } = decodeJwt<{ epoch: number }>(token)
  const current = await resignAccess(token, server.secret, { claims: { epoch: epoch + 1 } })
  expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${current}` }))
})

test('the access cookie names its session and no username', async ({ server }) => {
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
  test('an access cookie is valid at listed hosts of the domain only', async ({ server }) => {
    const client = new Client(server)
    await signUp(client)
    for (const origin of [
      'https://evil.example',
      'https://other.example.com',
      ELSEWHERE,
      'https://app.example.com:444',
    ]) {
      expectNobody(await askForwardAuth(server, { ...accessCookieOf(client), ...forPage(origin) }))
      const { 'X-Forwarded-Host': host } = forPage(origin)
      expectNobody(await askForwardAuth(server, { ...accessCookieOf(client), 'X-Forwarded-Host': host }))
    }
  })

  const FORGERIES: Record<string, () => AccessTokenChange | Promise<AccessTokenChange>> = {
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
    test(`forward-auth takes no access cookie ${what}`, async ({ server }) => {
      const client = new Client(server)
      const who = await signUp(client)
      const token = client.jar.get('__Secure-access') ?? ''
      const good = await resignAccess(token, server.secret)
      expectIdentity(await askForwardAuth(server, { Cookie: `__Secure-access=${good}`, ...forPage(APP) }), who)
      const forged = await resignAccess(token, server.secret, await change())
      const { Accept, ...asked } = forPage(APP)
      expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${forged}`, ...asked }))
      expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${forged}` }))
    })
  }

  test('forward-auth takes neither a token of /api/token nor a session in place of the access cookie', async ({
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
    for (const each of opened) {
      const cookie = accessCookieIn(each)
      expect(cookie?.attributes['max-age']).toBe('300')
      const claims = decodeJwt(cookie?.value ?? '')
      expect(claims).toMatchObject({ iss: server.origin, aud: [APP, WIKI], client_id: DOMAIN })
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(300)
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

  test('without ACCESS_COOKIE_DOMAIN no access cookie is set or taken', async ({ start, server }) => {
    const { ACCESS_COOKIE_DOMAIN, ...env } = SIBLINGS
    const without = await start({ env: { ...env, JWT_SECRET: server.secret } })
    const elsewhere = new Client(server)
    await signUp(elsewhere)
    const client = new Client(without)
    const { answer, id } = await signUp(client)
    expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['__Host-device', '__Host-session'])
    const token = await resignAccess(elsewhere.jar.get('__Secure-access') ?? '', server.secret, { claims: { sub: id } })
    expectNobody(await askForwardAuth(without, { Cookie: `__Secure-access=${token}` }))
    expectNobody(await askForwardAuth(without, forPage(APP)))
    expect((await client.post('/api/signout')).cookies.map(({ name }) => name)).toEqual(['__Host-session'])
  })
})
