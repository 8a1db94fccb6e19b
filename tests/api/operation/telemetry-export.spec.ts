import { createServer as createHttpServer } from 'node:http'
import { signInWithPassword, signUp } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { listenLocally } from '../../support/network/listen-locally'
import { startTelemetryReceiver } from '../../support/network/telemetry'

/** Writes to stderr when a process loads a module of OpenTelemetry's. */
const watcher = `
import { Module } from 'node:module'
const { load } = Module.prototype
const isSdk = /node_modules.@opentelemetry/
Module.prototype.load = function (file) {
  if (isSdk.test(file)) process.stderr.write('loads the SDK\\n')
  return load.call(this, file)
}`
const watching = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watcher)}` }

test('an OTLP receiver gets the span of a sign-in with its request id, and metrics', async ({ start }) => {
  const receiver = await startTelemetryReceiver()
  const server = await start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer receiver',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '250',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    },
  })
  const { username } = await signUp(new Client(server))
  const answer = await signInWithPassword(new Client(server), username)
  const requestId = answer.headers['x-request-id']
  const ofSignIn = () => receiver.spans.find((span) => span.attributes['latchkey.request_id'] === requestId)
  await expect.poll(ofSignIn).toMatchObject({
    name: 'POST /api/signin',
    kind: 'SPAN_KIND_SERVER',
    attributes: { 'http.request.method': 'POST', 'http.route': '/api/signin', 'http.response.status_code': 200 },
  })
  const { spanId, traceId, parentSpanId, resource } = ofSignIn() as NonNullable<ReturnType<typeof ofSignIn>>
  expect(parentSpanId || undefined).toBeUndefined()
  const children = receiver.spans.filter((span) => span.parentSpanId === spanId)
  expect(children.every((child) => child.traceId === traceId)).toBe(true)
  expect(children.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT User', 'latchkey.hash.wait']))
  expect(children.find(({ name }) => name === 'SELECT User')).toMatchObject({
    kind: 'SPAN_KIND_CLIENT',
    attributes: { 'db.system.name': 'sqlite', 'db.operation.name': 'SELECT', 'db.collection.name': 'User' },
  })
  const signIn = { method: 'pwd', outcome: 'success' }
  await expect.poll(() => receiver.points.find(({ name }) => name === 'latchkey.sign_ins')?.attributes).toEqual(signIn)
  // Nothing about the host, its user or the command line.
  const ours = ['deployment.environment.name', 'service.instance.id', 'service.name']
  const sdk = ['telemetry.sdk.language', 'telemetry.sdk.name', 'telemetry.sdk.version']
  expect(Object.keys(resource).sort()).toEqual([...ours, ...sdk])
  expect(resource['service.name']).toBe('latchkey')
  const type = 'application/x-protobuf'
  expect(new Set(receiver.requests)).toEqual(
    new Set([`/v1/traces ${type} Bearer receiver`, `/v1/metrics ${type} Bearer receiver`]),
  )
  await receiver.close()
})

test('telemetry that was not sent yet is sent at shutdown, as JSON where that is asked for', async ({ start }) => {
  const receiver = await startTelemetryReceiver()
  const never = { OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_METRIC_EXPORT_INTERVAL: '3600000' }
  const json = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
  const server = await start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...json, ...never } })
  await signUp(new Client(server))
  expect(receiver.spans).toEqual([])
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(receiver.spans.map(({ name }) => name)).toContain('POST /api/signup')
  expect(receiver.points.map(({ name }) => name)).toContain('latchkey.sign_ups')
  expect(new Set(receiver.requests)).toEqual(
    new Set(['/v1/traces', '/v1/metrics'].map((path) => `${path} application/json`)),
  )
  // Spans and metrics of one process name one instance.
  const instances = [...receiver.spans, ...receiver.points].map(({ resource }) => resource['service.instance.id'])
  expect(new Set(instances).size).toBe(1)
  await receiver.close()
})

test('a receiver that takes metrics only gets the last ones at shutdown', async ({ start }) => {
  let taken = 0
  const answering = createHttpServer((request, response) => {
    if (request.url !== '/v1/metrics') return response.writeHead(404).end()
    // Later than the other answer.
    return setTimeout(() => {
      if (!response.destroyed) taken += 1
      response.writeHead(200).end()
    }, 500)
  })
  const receiver = await listenLocally(answering)
  const never = { OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_METRIC_EXPORT_INTERVAL: '3600000' }
  const server = await start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...never } })
  await signUp(new Client(server))
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(taken).toBe(1)
  await receiver.close()
})

test('an OTLP receiver that is away delays neither requests nor the shutdown, and the log says so once', async ({
  start,
}) => {
  const receiver = await startTelemetryReceiver()
  await receiver.close()
  const often = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '100' }
  const server = await start({ env: { ...watching, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...often } })
  const { username } = await signUp(new Client(server))
  const lines = () => server.output().match(/telemetry was not sent/g)?.length ?? 0
  await expect.poll(lines).toBe(1)
  expect((await signInWithPassword(new Client(server), username)).status).toBe(200)
  const begun = Date.now()
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(Date.now() - begun).toBeLessThan(10_000)
  expect(lines()).toBe(1)
  expect(server.output()).toContain('loads the SDK')
})

test('a server without telemetry loads nothing of the SDK', { tag: '@pages' }, async ({ start }) => {
  const server = await start({ env: watching })
  await signUp(new Client(server))
  expect((await new Client(server).get('/signin')).status).toBe(200)
  expect(server.output()).not.toContain('loads the SDK')
})
