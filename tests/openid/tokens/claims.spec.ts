import {
  createRecoveryCodes,
  randomName,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { isConsent, nextOf, requestOf, userinfo } from '../../support/openid/requests'
import { accountsJson } from '../../support/operator/accounts-command'

test('an address is released with its verification, and groups as a list, in the ID token and at userinfo', async ({
  client,
  app,
  server,
}) => {
  const { username } = await signUp(client)
  const email = `${randomName()}@example.com`
  const [first, second] = [randomName(), randomName()]
  await accountsJson(server, 'email', username, email)
  await accountsJson(server, 'group', 'add', first, username)
  const scope = 'openid email groups'
  const { access_token, claims } = await new Flow(client, app).signIn({ scope })
  const released = { email, email_verified: true, groups: [first] }
  expect(claims).toMatchObject(released)
  expect(claims).not.toHaveProperty('preferred_username')
  expect((await userinfo(client, access_token)).body).toEqual({ sub: claims.sub, ...released })

  await accountsJson(server, 'group', 'remove', first, username)
  await accountsJson(server, 'group', 'add', second, username)
  await accountsJson(server, 'email', username, '--remove')
  const now = { sub: claims.sub, groups: [second] }
  expect((await userinfo(client, access_token)).body).toEqual(now)
  expect((await new Flow(client, app).signIn({ scope })).claims).toMatchObject(now)
})

test('an ID token of every scope, after a passkey, has the claims that the discovery document lists, and no others', async ({
  client,
  authenticator,
  app,
  server,
}) => {
  const { username } = await signUpWithPasskey(client, authenticator)
  await accountsJson(server, 'email', username, `${randomName()}@example.com`)
  const { claims } = await new Flow(client, app).signIn({ scope: 'openid profile email groups' })
  const { claims_supported: listed } = (await client.get('/.well-known/openid-configuration')).body
  expect(Object.keys(claims).sort()).toEqual([...listed].sort())
})

test('amr says which credential was shown, also after another one was shown in the same session', async ({
  client,
  another,
  authenticator,
  app,
}) => {
  const { username } = await signUp(client)
  const [code = ''] = await createRecoveryCodes(client)
  expect((await signInWithRecoveryCode(client, username, code)).status).toBe(200)
  const recovered = (await new Flow(client, app).signIn()).claims
  expect(recovered).toMatchObject({ amr: ['otp'] })
  expect(recovered).not.toHaveProperty('acr')
  expect((await signInWithPassword(client, username)).status).toBe(200)
  expect((await new Flow(client, app).signIn()).claims).toMatchObject({ amr: ['pwd'], sid: recovered.sid })

  const unverified = another()
  await signUpWithPasskey(unverified, authenticator, { flags: { uv: false } })
  expect((await new Flow(unverified, app).signIn()).claims).toMatchObject({ amr: ['pop'], acr: 'phr' })
})

const asking = (claims: object) => ({ scope: 'openid', claims: JSON.stringify(claims) })

test('the parameter claims asks for what the consent page then names, and gives nothing that nobody consented to', async ({
  client,
  app,
  server,
}) => {
  const { username } = await signUp(client)
  const email = `${randomName()}@example.com`
  await accountsJson(server, 'email', username, email)
  const name = asking({ userinfo: { name: { essential: true }, picture: null }, id_token: { phone_number: null } })
  const silent = new Flow(client, app)
  expect(silent.toApp(await silent.ask({ ...name, prompt: 'none' })).get('error')).toBe('consent_required')
  const asked = await new Flow(client, app).ask(name)
  const shown = await client.post('/api/oauth/request', { request: requestOf(asked) })
  expect(shown.body.scopes).toEqual(['openid', 'profile'])
  const declined = new Flow(client, app)
  expect((await declined.answer(name, false)).get('error')).toBe('access_denied')

  const named = await new Flow(client, app).signIn(name)
  expect(named.scope).toBe('openid profile')
  const profile = {
    sub: named.claims.sub,
    name: username,
    preferred_username: username,
    updated_at: expect.any(Number),
  }
  expect((await userinfo(client, named.access_token)).body).toEqual(profile)
  const email_verified = { id_token: { email_verified: null } }
  expect(isConsent(await new Flow(client, app).ask(asking(email_verified)))).toBe(true)
  expect((await new Flow(client, app).signIn(asking(email_verified))).claims).toMatchObject({
    email,
    email_verified: true,
  })
  expect((await new Flow(client, app).signIn({ scope: 'openid' })).claims).not.toHaveProperty('name')
})

test('claims that are no JSON object are an invalid request, and members of another kind are ignored', async ({
  client,
  appWith,
}) => {
  const app = await appWith('https://app.example.com/callback', '--trusted')
  await signUp(client)
  for (const claims of ['x', '[]', 'null', '"name"', '{"userinfo":']) {
    const flow = new Flow(client, app)
    expect(flow.toApp(await flow.ask({ claims })).get('error'), claims).toBe('invalid_request')
  }
  const odd = [
    { userinfo: [], id_token: 'name' },
    { id_token: { sub: 'x', acr: ['phr'] } },
    { __proto__x: { name: null } },
  ]
  for (const claims of [...odd.map((one) => JSON.stringify(one)), '{"__proto__":{"userinfo":{"email":null}}}']) {
    const tokens = await new Flow(client, app).signIn({ scope: 'openid', claims })
    expect(tokens.scope, claims).toBe('openid')
  }
})

test('a sub that claims ask for is answered for that account alone', async ({ client, another, appWith }) => {
  const app = await appWith('https://app.example.com/callback', '--trusted')
  const { id } = await signUp(client)
  const { username } = await signUp(another())
  const own = asking({ id_token: { sub: { value: id } } })
  expect((await new Flow(client, app).signIn(own)).claims.sub).toBe(id)
  const foreign = asking({ id_token: { sub: { value: `${id}x` } } })
  const silent = new Flow(client, app)
  expect(silent.toApp(await silent.ask({ ...foreign, prompt: 'none' })).get('error')).toBe('login_required')
  const flow = new Flow(client, app)
  const next = nextOf(await flow.ask(foreign))
  await signInWithPassword(client, username)
  expect(flow.toApp(await client.get(next)).get('error')).toBe('login_required')
})

test('an acr that claims call essential is met, or the app is told that it was not', async ({
  client,
  another,
  authenticator,
  appWith,
}) => {
  const app = await appWith('https://app.example.com/callback', '--trusted')
  const { username } = await signUp(client)
  const essential = (...values: string[]) => asking({ id_token: { acr: { essential: true, values } } })
  const errorOf = async (flow: Flow, answer: ReturnType<typeof client.get>) => flow.toApp(await answer).get('error')
  const unmet = 'unmet_authentication_requirements'
  const flow = new Flow(client, app)
  expect(await errorOf(flow, flow.ask({ ...essential('phr'), prompt: 'none' }))).toBe(unmet)
  expect(await errorOf(flow, flow.ask(essential('urn:example:unknown')))).toBe(unmet)
  const next = nextOf(await flow.ask(essential('phr')))
  await signInWithPassword(client, username)
  expect(await errorOf(flow, client.get(next))).toBe(unmet)
  const { acr_values_supported } = (await client.get('/.well-known/openid-configuration')).body
  expect((await new Flow(client, app).signIn(essential('phr', acr_values_supported[1]))).claims.acr).toBe(
    acr_values_supported[1],
  )
  const voluntary = asking({ id_token: { acr: { values: ['phr'] } } })
  expect((await new Flow(client, app).signIn(voluntary)).claims.amr).toEqual(['pwd'])
  const byPasskey = another()
  await signUpWithPasskey(byPasskey, authenticator)
  expect((await new Flow(byPasskey, app).signIn(essential('phr'))).claims.acr).toBe('phr')
})
