import { readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import {
  authenticate,
  randomName,
  signInWithPassword,
  signUp,
  signUpWithPasskey,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expect } from '../../support/fixtures'
import { test } from '../../support/network/split-deployment'
import { prometheus, startTelemetryReceiver } from '../../support/network/telemetry'
import { newSecret } from '../../support/network/webhooks'
import { CALLBACK, registerApp } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import type { Server } from '../../support/server/server'
import { Authenticator } from '../../support/webauthn/authenticator'

const system = (storage: string) => (storage === 'embedded' ? 'sqlite' : 'postgresql')

test('a scrape by Prometheus shows sign-ins by method and outcome, and what throttled them', async ({
  start,
  storage,
}) => {
  const metrics = await prometheus()
  const away = { WEBHOOK_URL: 'http://127.0.0.1:9/', WEBHOOK_SECRET: newSecret() }
  const server = await start({ env: { ...metrics.env, ...away } })
  const client = new Client(server)
  const { username } = await signUp(client)
  const { codes } = (await client.post('/api/i/recovery-codes')).body
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
  for (let n = 0; n < 6; n += 1) await signInWithPassword(new Client(server), username, WRONG_PASSWORD)
  const authenticator = new Authenticator(server.origin)
  await signUpWithPasskey(new Client(server), authenticator)
  expect((await authenticate(new Client(server), authenticator)).status).toBe(200)
  const forged = { corruptSignature: true }
  expect((await authenticate(new Client(server), authenticator, undefined, forged)).status).toBe(401)
  expect((await new Client(server).post('/api/signin/recovery', { username, code: codes[0] })).status).toBe(200)
  // It shows no credential.
  expect((await new Client(server).post('/api/signin', { username })).status).toBe(400)
  expect(await metrics.read('latchkey_sign_ins_total')).toEqual({
    'method="pwd",outcome="success"': 1,
    'method="pwd",outcome="failure"': 5,
    'method="pwd",outcome="throttled"': 1,
    'method="passkey",outcome="success"': 1,
    'method="passkey",outcome="failure"': 1,
    'method="recovery",outcome="success"': 1,
  })
  expect(await metrics.read('latchkey_sign_ups_total')).toEqual({ '': 2 })
  expect(await metrics.read('latchkey_throttled_total')).toEqual({ 'policy="password"': 1 })
  const app = await useApp(server, client)
  expect(await metrics.read('latchkey_app_sign_ins_total')).toEqual({ [`app="${app}"`]: 1 })
  expect(await metrics.read('latchkey_app_refreshes_total')).toEqual({ [`app="${app}"`]: 1 })
  expect(await metrics.read('latchkey_hash_queue')).toEqual({ '': 0 })
  // The receiver learns of neither account.
  expect(await metrics.read('latchkey_deliveries_waiting')).toEqual({ '': 2 })
  expect((await metrics.read('latchkey_deliveries_age'))['']).toBeGreaterThan(0)
  // Of a sign-up, and seven attempts less the one that was throttled.
  expect(await metrics.read('latchkey_hash_wait_count')).toEqual({ '': 7 })
  const requests = await metrics.read('http_server_request_duration_count')
  const route = 'http_request_method="POST",http_route="/api/signin",http_response_status_code'
  expect(requests).toMatchObject({ [`${route}="200"`]: 1, [`${route}="401"`]: 5, [`${route}="429"`]: 1 })
  const database = await metrics.read('db_client_operation_duration_count')
  expect(database).toMatchObject({
    [`db_system_name="${system(storage)}",db_operation_name="BEGIN"`]: expect.any(Number),
    [`db_system_name="${system(storage)}",db_operation_name="COMMIT"`]: expect.any(Number),
    [`db_system_name="${system(storage)}",db_operation_name="SELECT",db_collection_name="User"`]: expect.any(Number),
  })
  expect(await metrics.read('nodejs_eventloop_delay_p99')).toEqual({ '': expect.any(Number) })
  const shown = new Set((await metrics.text()).match(/^[a-z]\w+/gm))
  // Only where Redis is.
  if (storage === 'embedded') shown.add('latchkey_circuit_breaker')
  for (const document of ['docs/grafana.json', 'docs/operate.md'])
    expect(metricNames(document).filter((name) => !shown.has(name))).toEqual([])
})

/** Signs in to an app, which then uses its refresh token. @returns the app's id */
async function useApp(server: Server, client: Client): Promise<string> {
  const app = await registerApp(server, CALLBACK, '--trusted')
  const flow = new Flow(client, app)
  const { refresh_token } = await flow.lastingTokens()
  expect((await flow.refresh(refresh_token)).status).toBe(200)
  return app.id
}

/** The metrics that a document asks Prometheus for. */
const metricNames = (document: string) =>
  readFileSync(document, 'utf8').match(/\b(latchkey|http_server|db_client|nodejs)_\w+(?=[{[)])/g) ?? []

test('pages are measured by their path, and paths and methods that strangers choose make no time series', {
  tag: '@pages',
}, async ({ start }) => {
  const metrics = await prometheus()
  const server = await start({ env: metrics.env })
  const stranger = new Client(server, { undocumented: true })
  for (const path of ['/api/secret-a', '/secret-b?token=secret-c', '/api/i/secret-d']) await stranger.get(path)
  await stranger.request('PROPFIND', '/secret-e')
  expect((await stranger.get('/signin?next=%2Fprofile')).status).toBe(200)
  const text = await metrics.text()
  expect(text).not.toContain('secret')
  expect(text).not.toContain('PROPFIND')
  expect(text).toContain('http_server_request_duration_count{http_request_method="_OTHER",')
  expect(text).toContain(
    'http_server_request_duration_count{http_request_method="GET",http_route="/signin",http_response_status_code="200"} 1',
  )
  expect(text).toContain(
    'http_server_request_duration_count{http_request_method="GET",http_response_status_code="404"} 3',
  )
})

test('metrics are shown at their own address and nowhere else', async ({ start }) => {
  const metrics = await prometheus()
  const server = await start({ env: metrics.env })
  const status = (url: string, method = 'GET') => fetch(url, { method }).then((answer) => answer.status)
  expect(await status(`${metrics.url}/metrics`)).toBe(200)
  expect(await status(`${metrics.url}/`)).toBe(404)
  expect(await status(`${metrics.url}/metrics`, 'POST')).toBe(405)
  expect(await status(`${server.url}/metrics`)).toBe(404)
  // The server's own requests for metrics are not among those that it measures.
  expect(Object.keys(await metrics.read('http_server_request_duration_count')).join()).not.toContain('"405"')
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4'))
    await expect(fetch(metrics.url.replace('127.0.0.1', address))).rejects.toThrow()
  await expect(start({ env: metrics.env })).rejects.toThrow('OTEL_EXPORTER_PROMETHEUS_PORT must be a free port')
})

test('clients that leave while they wait for a hash make the service look neither unavailable nor throttled', async ({
  start,
}) => {
  const metrics = await prometheus()
  const server = await start({ env: { ...metrics.env, BCRYPT_COST: '12' } })
  const leaving = new AbortController()
  const attempts = Array.from({ length: 12 }, () => {
    const body = JSON.stringify({ username: randomName(), password: WRONG_PASSWORD })
    const headers = { 'Content-Type': 'application/json' }
    const { signal } = leaving
    return fetch(`${server.url}/api/signin`, { method: 'POST', body, headers, signal }).catch(() => undefined)
  })
  const waiting = async () => (await metrics.read('latchkey_hash_queue'))['']
  await expect.poll(waiting).toBeGreaterThan(0)
  leaving.abort()
  await Promise.all(attempts)
  await expect.poll(waiting).toBe(0)
  const text = await metrics.text()
  expect(text).not.toContain('outcome="unavailable"')
  expect(text).not.toContain('latchkey_throttled_total')
  // Their requests have ended, without a status.
  expect(await metrics.read('http_server_request_duration_count')).toHaveProperty([
    'http_request_method="POST",http_route="/api/signin"',
  ])
})

test('each side of a split deployment measures itself, and both spans of a request have one request id', async ({
  startSplitDeployment,
}) => {
  const receiver = await startTelemetryReceiver()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '100',
  }
  const { frontEnd } = await startSplitDeployment({
    env: { ...env, OTEL_SERVICE_NAME: 'backend' },
    frontEndEnv: { ...env, OTEL_SERVICE_NAME: 'front end' },
  })
  const { answer } = await signUp(new Client(frontEnd))
  const sides = () =>
    receiver.spans
      .filter(({ attributes }) => attributes['latchkey.request_id'] === answer.headers['x-request-id'])
      .map(({ resource }) => resource['service.name'])
      .sort()
  await expect.poll(sides).toEqual(['backend', 'front end'])
  const tellers = () => receiver.points.filter(({ name }) => name === 'latchkey.sign_ups')
  await expect.poll(() => tellers().length).toBeGreaterThan(0)
  expect(new Set(tellers().map(({ resource }) => resource['service.name']))).toEqual(new Set(['backend']))
  await receiver.close()
})
