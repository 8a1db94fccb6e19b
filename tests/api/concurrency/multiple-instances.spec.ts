import { authenticationOptions, randomName, register, signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { JWT_SECRET } from '../../support/settings'
import { Authenticator } from '../../support/webauthn/authenticator'

test.describe('two instances on one PostgreSQL and one Redis', { tag: '@networked' }, () => {
  test('two instances share sessions, and a sign-out on one holds on the other at once', async ({ start }) => {
    const a = await start()
    const b = await start({ beside: a })
    const { token } = await signUp(new Client(a))
    await expectSignedIn(new Client(b, { bearer: token }))
    expect((await new Client(a, { bearer: token }).post('/api/signout')).status).toBe(204)
    await expectSignedOut(new Client(b, { bearer: token }))
  })

  test('two instances share challenges, which are consumed for both', async ({ start }) => {
    const a = await start()
    const b = await start({ beside: a, env: { APP_ORIGIN: a.origin } })
    const authenticator = new Authenticator(a.origin)
    const client = new Client(a)
    await signUp(client)
    expect((await register(client, authenticator)).status).toBe(201)
    const assertion = authenticator.get(await authenticationOptions(new Client(a)))
    expect((await new Client(b).post('/api/auth/login/verify', assertion)).status).toBe(200)
    for (const instance of [a, b]) {
      expect((await new Client(instance).post('/api/auth/login/verify', assertion)).status).toBe(401)
    }
  })

  test('two instances share rate limits: of 30 attempts spread over both, 5 are checked', async ({ start }) => {
    const a = await start()
    const b = await start({ beside: a })
    const username = randomName()
    await signUp(new Client(a), username)
    const attempts = Array.from({ length: 30 }, (_, n) =>
      signInWithPassword(new Client(n % 2 ? a : b), username, 'wrong password'),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(5).fill(401), ...Array(25).fill(429)])
  })

  test('two instances that start at once on an empty database both start', async ({ start, emptyStores }) => {
    const stores = emptyStores()
    const env = { ...stores, JWT_SECRET }
    const [a, b] = await Promise.all([start({ env }), start({ env })])
    const { token } = await signUp(new Client(a))
    await expectSignedIn(new Client(b, { bearer: token }))
  })
})
