import { authenticationOptions, randomName, register, signUp } from '../../support/accounts'
import { type Answer, Client } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { Authenticator } from '../../support/webauthn/authenticator'

test('while PostgreSQL is down requests are answered 503 within three seconds, and succeed when it is back', {
  tag: '@networked',
}, async ({ start, ownPostgres }) => {
  test.slow()
  const server = await start({ env: { DATABASE_URL: ownPostgres.createDatabase() } })
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server)
  const { username, password } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const assertion = authenticator.get(await authenticationOptions(new Client(server)))
  await ownPostgres.halt()

  const asked: [string, unknown][] = [
    ['/api/signup', { username: randomName(), password }],
    ['/api/signin', { username, password }],
    ['/api/i', undefined],
    ['/api/auth/register/options', {}],
    ['/api/auth/login/verify', assertion],
    ['/api/signout', undefined],
  ]
  for (const [path, body] of asked) {
    const started = performance.now()
    const answer: Answer = await client.post(path, body)
    expectError(answer, 503, 'unavailable')
    expect(Number(answer.headers['retry-after']), path).toBeGreaterThan(0)
    expect(performance.now() - started, path).toBeLessThan(3_000)
  }
  expect((await new Client(server).post('/api/auth/login/options')).status).toBe(200)

  await ownPostgres.launch()
  await expect.poll(async () => (await client.post('/api/i')).status).toBe(200)
  await expectSignedIn(client)
})

test.describe('pages', () => {
  // Before the fixtures, which start it.
  needs('PostgreSQL')

  test('while PostgreSQL is down pages are answered 503 after one query, and the log has one error for all of them', {
    tag: '@pages',
  }, async ({ start, ownPostgres }) => {
    const server = await start({ env: { DATABASE_URL: ownPostgres.createDatabase() } })
    const client = new Client(server)
    await signUp(client)
    await ownPostgres.halt()
    // The second has a title that depends on the account.
    for (const path of ['/profile', '/secure']) {
      const page = await client.get(path)
      expect(page.status, path).toBe(503)
      expect(Number(page.headers['retry-after']), path).toBeGreaterThan(0)
    }
    // The output has the lines of earlier requests once it has this one's.
    const last = await client.post('/api/i')
    await expect.poll(() => server.output()).toContain(last.headers['x-request-id'])
    expect(server.output().match(/database unavailable/g)).toHaveLength(3)
    await expect.poll(() => server.output().split('"level":50').length - 1).toBe(1)
    expect(server.output()).toContain('nothing can be written to the database')
  })
})
