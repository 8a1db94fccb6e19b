import { writeFileSync } from 'node:fs'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { LOGO_PNG, LOGO_SVG, LOGO_WEBP, logoFile } from '../../support/logos'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'

const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

test('a server serves the logos that it has read at its start with their types, an ETag and one policy that lets them run nothing, and answers 304 to a browser that has one', {
  tag: '@pages',
}, async ({ start }) => {
  const APP_LOGO = logoFile(LOGO_SVG)
  const server = await start({ env: { APP_LOGO, APP_LOGO_DARK: logoFile(LOGO_WEBP) } })
  const client = new Client(server)
  const light = await client.get('/brand/logo')
  expect([light.status, light.text]).toEqual([200, LOGO_SVG])
  expect(light.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=300',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  })
  const raw = await exchange(server.port, rawRequest('GET', '/brand/logo'))
  expect(headersOf(raw)['content-security-policy']).toEqual([policy])
  const dark = await client.get('/brand/logo-dark')
  expect(dark.status).toBe(200)
  expect(dark.headers).toMatchObject({ 'content-type': 'image/webp', 'content-length': String(LOGO_WEBP.length) })
  expect(dark.headers.etag).not.toBe(light.headers.etag)
  for (const { headers } of [light, dark]) expect(headers).not.toHaveProperty('set-cookie')

  const etag = light.headers.etag ?? ''
  const head = await client.request('HEAD', '/brand/logo')
  expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag])
  for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const answer = await exchange(server.port, rawRequest(method, '/brand/logo'))
    expect([statusOf(answer), headersOf(answer).allow], method).toEqual([405, ['GET, HEAD']])
  }
  const asked = (known: string) => client.get('/brand/logo', { headers: { 'If-None-Match': known } })
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await asked(known)
    expect([answer.status, answer.text, answer.headers.etag], known).toEqual([304, '', etag])
    expect(answer.headers['content-security-policy']).toBe(policy)
  }
  for (const other of ['"other"', etag.replaceAll('"', ''), '']) expect((await asked(other)).status, other).toBe(200)

  writeFileSync(APP_LOGO, LOGO_PNG)
  expect((await asked(etag)).status).toBe(304)
  await server.restart()
  const renewed = await asked(etag)
  expect([renewed.status, renewed.headers['content-type']]).toEqual([200, 'image/png'])
})

test('a front end serves its own logo', async ({ start }) => {
  const env = { BACKEND_URL: 'http://127.0.0.1:1', APP_LOGO: logoFile(LOGO_SVG) }
  const client = new Client(await start({ env }))
  expect((await client.get('/brand/logo')).text).toBe(LOGO_SVG)
  const wrong = await client.request('POST', '/brand/logo')
  expectError(wrong, 405, 'method_not_allowed')
  expect(wrong.headers.allow).toBe('GET, HEAD')
})
