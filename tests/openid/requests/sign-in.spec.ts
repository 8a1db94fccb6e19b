import { decodeJwt } from 'jose'
import { createAccount, signInWithPassword, signUp, signUpWithPasskey } from '../../support/accounts'
import { expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { consent, nextOf } from '../../support/openid/requests'
import { ageSession, resign, withOtherSignature } from '../../support/tokens/tokens'

/** The interaction that a path carries. */
const interactionOf = (path: string) =>
  decodeJwt(new URLSearchParams(path.split('?')[1]).get('latchkey_interaction') ?? '')

test.describe('signing in to an app', () => {
  test('the session that was there when the request began does not stand for a new credential @promise', async ({
    client,
    app,
    server,
  }) => {
    await createAccount(client)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    const query = new URLSearchParams(next.split('?')[1])
    const start = query.get('latchkey_interaction') ?? ''
    // As if it had begun before that session's credential was shown.
    const { iat = 0 } = decodeJwt(start)
    query.set('latchkey_interaction', await resign(start, server.secret, { claims: { iat: iat - 60 } }))
    nextOf(await client.get(`/api/oauth/authorize?${query}`))
  })

  test('a session that replaced the one before does not stand for a new credential, either', async ({
    client,
    app,
    server,
  }) => {
    await createAccount(client)
    const next = nextOf(await new Flow(client, app).ask({ prompt: 'login' }))
    expect((await client.post('/api/i/signout-everywhere', { exceptThis: true })).status).toBe(200)
    const query = new URLSearchParams(next.split('?')[1])
    const start = query.get('latchkey_interaction') ?? ''
    // As if the request had begun some seconds after the sign-in.
    const { iat = 0 } = decodeJwt(start)
    query.set('latchkey_interaction', await resign(start, server.secret, { claims: { iat: iat + 3 } }))
    nextOf(await client.get(`/api/oauth/authorize?${query}`))
  })

  test('prompt=create leads to the sign-up page', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'create' }), '/signup')
    await createAccount(client)
    expect(flow.toApp(await consent(client, await client.get(next))).has('code')).toBe(true)
  })

  test('prompt=login shows the sign-in page again, and only a credential that is shown after it goes on @promise', async ({
    client,
    app,
    server,
  }) => {
    const { username } = await signUp(client)
    await ageSession(client, server, 60)
    const before = (await new Flow(client, app).signIn()).claims
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    // Whoever has signed in meanwhile, at another tab, need not again.
    expect(interactionOf(nextOf(await client.get(next)))).toMatchObject({
      jti: interactionOf(next).jti,
      iat: interactionOf(next).iat,
    })
    expect((await signInWithPassword(client, username)).status).toBe(200)
    const answer = await flow.exchange(flow.toApp(await client.get(next)).get('code') ?? '')
    expect(answer.status, answer.text).toBe(200)
    const after = (await new Flow(client, app).signIn()).claims
    expect(Number(after.auth_time)).toBeGreaterThan(Number(before.auth_time) + 1)
    // The same person at the same browser.
    expect(after.sid).toBe(before.sid)
  })

  for (const asked of [{ prompt: 'select_account' }, { max_age: '0' }])
    test(`one sign-in is enough for ${new URLSearchParams(asked)} at a page that was open for hours, and one of hours ago is not`, async ({
      client,
      app,
      server,
    }) => {
      const { username } = await signUp(client)
      const flow = new Flow(client, app)
      const query = new URLSearchParams(nextOf(await flow.ask(asked as Record<string, string>)).split('?')[1])
      const start = query.get('latchkey_interaction') ?? ''
      const { iat = 0, exp = 0 } = decodeJwt(start)
      const earlier = { iat: iat - 10_800, exp: exp - 10_800 }
      query.set('latchkey_interaction', await resign(start, server.secret, { claims: earlier }))
      const path = `/api/oauth/authorize?${query}`
      expect((await signInWithPassword(client, username)).status).toBe(200)
      const answer = await client.get(path)
      expect(answer.headers.location).toMatch(/^\/consent\?/)
      await ageSession(client, server, 7_200)
      nextOf(await client.get(path))
    })

  test('a start of another request does not stand for a credential @promise', async ({ client, app }) => {
    const { username } = await createAccount(client)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ prompt: 'login' }))
    await signInWithPassword(client, username)
    const start = new URLSearchParams(next.split('?')[1]).get('latchkey_interaction') ?? ''
    nextOf(await new Flow(client, app).ask({ prompt: 'login', latchkey_interaction: start }))
    nextOf(await flow.ask({ prompt: 'login', latchkey_interaction: withOtherSignature(start) }))
  })

  test('prompt=none signed out is login_required, signed in with consent it gives the same sub @promise', async ({
    client,
    another,
    app,
  }) => {
    const nobody = new Flow(another(), app)
    expect(nobody.toApp(await nobody.ask({ prompt: 'none' })).get('error')).toBe('login_required')
    await signUp(client)
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ prompt: 'none' })).get('error')).toBe('consent_required')
    const { claims } = await flow.signIn()
    expect((await new Flow(client, app).signIn({ prompt: 'none' })).claims.sub).toBe(claims.sub)
    const both = await flow.ask({ prompt: 'none login' })
    expect(flow.toApp(both).get('error')).toBe('invalid_request')
  })

  test('id_token_hint with prompt=none is good for its own account alone @promise', async ({
    client,
    another,
    app,
  }) => {
    await signUp(client)
    const { id_token } = await new Flow(client, app).signIn()
    const hinted = { prompt: 'none', id_token_hint: id_token }
    expect((await new Flow(client, app).answer(hinted)).has('code')).toBe(true)
    const other = another()
    await signUp(other)
    await new Flow(other, app).signIn()
    expect((await new Flow(other, app).answer(hinted)).get('error')).toBe('login_required')
    const bad = { prompt: 'none', id_token_hint: 'eyJhbGciOiJub25lIn0.e30.' }
    expect((await new Flow(client, app).answer(bad)).get('error')).toBe('login_required')
  })

  test('whoever is not the account that id_token_hint names signs in to it, and gets no answer for another @promise', async ({
    client,
    another,
    app,
  }) => {
    const { username } = await signUp(client)
    const { id_token, claims } = await new Flow(client, app).signIn()
    const other = another()
    const stranger = await signUp(other)
    await new Flow(other, app).signIn()
    const flow = new Flow(other, app)
    const next = nextOf(await flow.ask({ id_token_hint: id_token }))
    nextOf(await other.get(next))
    await signInWithPassword(other, stranger.username)
    expect(flow.toApp(await other.get(next)).get('error')).toBe('login_required')
    await signInWithPassword(other, username)
    const answer = await flow.exchange(flow.toApp(await other.get(next)).get('code') ?? '')
    expect(decodeJwt(answer.body.id_token).sub).toBe(claims.sub)
    // A hint that names no account excludes none.
    expect((await new Flow(other, app).answer({ id_token_hint: 'x' })).has('code')).toBe(true)
  })

  test('max_age brings back a later auth_time once it has passed, and the same one before', async ({
    client,
    app,
    server,
  }) => {
    const { username } = await signUp(client)
    await new Flow(client, app).code()
    const auth_time = await ageSession(client, server, 60)
    expect((await new Flow(client, app).signIn({ max_age: '10000' })).claims.auth_time).toBe(auth_time)
    const flow = new Flow(client, app)
    const next = nextOf(await flow.ask({ max_age: '1' }))
    await signInWithPassword(client, username)
    const answer = await flow.exchange(flow.toApp(await client.get(next)).get('code') ?? '')
    expect(decodeJwt(answer.body.id_token).auth_time).toBeGreaterThan(auth_time + 1)
  })

  test('max_age=0 asks for a new credential, max_age=10000 does not @promise', async ({ client, app }) => {
    await signUp(client)
    await new Flow(client, app).signIn()
    expect((await new Flow(client, app).answer({ max_age: '10000', prompt: 'none' })).has('code')).toBe(true)
    for (const max_age of ['-1', '10 seconds']) {
      const flow = new Flow(client, app)
      expect(flow.toApp(await flow.ask({ max_age })).get('error'), max_age).toBe('invalid_request')
    }
    nextOf(await new Flow(client, app).ask({ max_age: '0' }))
    expect((await new Flow(client, app).answer({ max_age: '0', prompt: 'none' })).get('error')).toBe('login_required')
  })

  test('acr is phr after a passkey, and acr_values=phr is voluntary @promise', async ({
    client,
    another,
    authenticator,
    app,
  }) => {
    const byPassword = another()
    await signUp(byPassword)
    const { acr_values_supported } = (await client.get('/.well-known/openid-configuration')).body
    expect((await new Flow(byPassword, app).signIn({ acr_values: 'phr' })).claims.acr).toBe(acr_values_supported[1])
    await signUpWithPasskey(client, authenticator)
    const { claims } = await new Flow(client, app).signIn({ acr_values: 'phr' })
    expect(claims).toMatchObject({ acr: 'phr', amr: ['pop', 'mfa'] })
  })

  test('ui_locales goes on to the pages of the request, and sets no cookie', async ({ client, app }) => {
    const headers = { 'Accept-Language': 'en' }
    const path = new Flow(client, app).path({ ui_locales: 'xx de-CH fr' })
    const answer = await client.get(path, { headers })
    expect(String(answer.headers.location)).toMatch(/&ui_locales=xx\+de-CH\+fr$/)
    expect(answer.cookies).toEqual([])
    const own = await client.get(new Flow(client, app).path(), { headers })
    expect(String(own.headers.location)).not.toMatch(/locale/)
  })
})
