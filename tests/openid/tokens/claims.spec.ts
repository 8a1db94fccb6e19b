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
import { userinfo } from '../../support/openid/requests'
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
