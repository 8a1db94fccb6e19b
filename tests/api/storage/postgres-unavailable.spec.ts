import { authenticationOptions, PASSWORD, randomName, register, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { Authenticator } from '../../support/webauthn/authenticator'

test.use({ runsOn: ['PostgreSQL'] })

test('while PostgreSQL is down requests and the health check are answered 503 within three seconds, pages after one query, the log has one error for all of them, and they succeed when it is back', {
  tag: '@pages',
}, async ({ start, ownPostgres }) => {
  test.slow()
  const server = await start({ env: { DATABASE_URL: ownPostgres.createDatabase() } })
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server)
  const { username } = await signUp(client)
  expect((await register(client, authenticator)).status).toBe(201)
  const assertion = authenticator.get(await authenticationOptions(new Client(server)))
  const health = () => client.get('/api/health')
  expect((await health()).status).toBe(200)
  await ownPostgres.halt()

  const unavailable = async (path: string, asking: () => ReturnType<typeof health>) => {
    const started = performance.now()
    const answer = await asking()
    expect(answer.status, path).toBe(503)
    expect(performance.now() - started, path).toBeLessThan(3_000)
    return answer
  }
  expect((await unavailable('/api/health', health)).text).toBe('')
  const asked: [string, unknown][] = [
    ['/api/signup', { username: randomName(), password: PASSWORD }],
    ['/api/signin', { username, password: PASSWORD }],
    ['/api/i', undefined],
    ['/api/auth/register/options', {}],
    ['/api/auth/login/verify', assertion],
    ['/api/signout', undefined],
  ]
  for (const [path, body] of asked) {
    const answer = await unavailable(path, () => client.post(path, body))
    expectError(answer, 503, 'unavailable')
    expect(Number(answer.headers['retry-after']), path).toBeGreaterThan(0)
  }
  // The second has a title that depends on the account.
  for (const path of ['/profile', '/secure']) {
    const before = server.output().split('database unavailable').length
    const page = await client.get(path)
    expect(page.status, path).toBe(503)
    expect(Number(page.headers['retry-after']), path).toBeGreaterThan(0)
    // The output has the lines of earlier requests once it has this one's: one of the page's only query, and this.
    const last = await client.post('/api/i')
    await expect.poll(() => server.output()).toContain(last.headers['x-request-id'])
    expect(server.output().split('database unavailable').length - before, path).toBe(2)
  }
  expect((await new Client(server).post('/api/auth/login/options')).status).toBe(200)
  await expect.poll(() => server.output().split('"level":50').length - 1).toBe(1)
  expect(server.output()).toContain('nothing can be written to the database')

  await ownPostgres.launch()
  await expect.poll(async () => (await health()).status).toBe(200)
  await expect.poll(async () => (await client.post('/api/i')).status).toBe(200)
  await expectSignedIn(client)
})
