import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { decodeJwt } from 'jose'
import { signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect, type SplitDeployment, test } from '../../support/network/split-deployment'
import { verifyWithJose } from '../../support/tokens/access-tokens'
import { accessCookieOf, askForwardAuth, forPage, SIBLINGS } from '../../support/your-app/sibling-apps'
import { APP } from '../../support/your-app/snippets'

const env = { ...SIBLINGS, APPLE_APPS: 'A1B2C3D4E5.com.example.app' }

async function expectApps({ frontEnd, backend }: SplitDeployment) {
  const client = new Client(frontEnd)
  const { id, username } = await signUp(client)
  const page = new Client(frontEnd, { headers: { Origin: APP, 'Sec-Fetch-Site': 'same-site' } })

  const headers = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' }
  const preflight = await page.request('OPTIONS', '/api/token', { headers })
  expect(preflight.status).toBe(204)
  for (const [name, value] of client.jar) page.jar.set(name, value)
  const given = await page.post('/api/token', {})
  for (const answer of [preflight, given]) {
    expect(answer.headers['access-control-allow-origin']).toBe(APP)
    expect(answer.headers.vary?.split(',').filter((name) => name.trim() === 'Origin')).toHaveLength(1)
  }
  expect(decodeJwt(given.body.token)).toMatchObject({ sub: id, aud: APP, iss: frontEnd.origin })
  // The front end forwards this request for keys, too.
  expect((await verifyWithJose(frontEnd, given.body.token, APP)).preferred_username).toBe(username)
  const foreign = await client.post('/api/i', undefined, { headers: { Origin: 'https://evil.example' } })
  expectError(foreign, 403, 'foreign_origin')
  expect(foreign.headers).not.toHaveProperty('access-control-allow-origin')

  const asked = await askForwardAuth(frontEnd, { ...accessCookieOf(client), ...forPage(APP) })
  expect([asked.status, asked.headers['remote-user'], asked.headers['remote-user-id']]).toEqual([200, username, id])
  const withoutHost = await askForwardAuth(frontEnd, accessCookieOf(client))
  expect([withoutHost.status, withoutHost.headers['remote-user']]).toEqual([200, username])
  const outside = await askForwardAuth(
    frontEnd,
    { ...accessCookieOf(client), ...forPage(APP), Accept: '*/*' },
    '?group=family',
  )
  expectError(outside, 403, 'not_allowed')
  const unlisted = forPage('https://other.example.com')
  expectError(await askForwardAuth(frontEnd, { ...accessCookieOf(client), ...unlisted }), 401, 'not_signed_in')
  const led = await askForwardAuth(frontEnd, forPage(APP, '/x'))
  const access = `/api/access?${new URLSearchParams({ next: `${APP}/x` })}`
  expect([led.status, led.headers.location]).toEqual([303, frontEnd.origin + access])
  const renewed = await client.get(access)
  expect([renewed.status, renewed.headers.location]).toEqual([303, `${APP}/x`])
  expect(renewed.cookies.map(({ name }) => name)).toEqual(['__Secure-access'])

  const apple = await client.get('/.well-known/apple-app-site-association')
  expect(apple.status).toBe(200)
  const health = () => client.get('/api/health')
  expect((await health()).status).toBe(200)
  await backend.kill('SIGTERM')
  expect((await health()).status).toBe(503)
  const unavailable = await page.post('/api/i')
  expectError(unavailable, 503, 'unavailable')
  expect(unavailable.headers['access-control-allow-origin']).toBe(APP)
}

test('other apps rely on a front end as on a single server', async ({ startSplitDeployment }) => {
  await expectApps(await startSplitDeployment({ env, frontEndEnv: env }))
})

test('other apps rely on a front end served by Next alone as on a single server, and it opens no database', {
  tag: '@pages',
}, async ({ startSplitDeployment }) => {
  const deployment = await startSplitDeployment({ mode: 'next', env, frontEndEnv: env })
  await expectApps(deployment)
  // It opens no database.
  expect(readdirSync(dirname(deployment.frontEnd.database))).toEqual([])
})
