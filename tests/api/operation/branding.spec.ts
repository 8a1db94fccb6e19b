import { writeFileSync } from 'node:fs'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { LOGO_PNG, LOGO_SVG, LOGO_WEBP, logoFile } from '../../support/logos'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'
import { expect, test } from '../../support/network/split-deployment'

const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

for (const mode of ['node', 'next'] as const) {
  test(`${mode} serves the logos with their types, an ETag and a policy that lets them run nothing`, {
    tag: '@pages',
  }, async ({ start }) => {
    const env = { APP_LOGO: logoFile(LOGO_SVG), APP_LOGO_DARK: logoFile(LOGO_PNG) }
    const client = new Client(await start({ mode, env }))
    const light = await client.get('/brand/logo')
    expect([light.status, light.text]).toEqual([200, LOGO_SVG])
    expect(light.headers).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    const dark = await client.get('/brand/logo-dark')
    expect([dark.status, dark.headers['content-type']]).toEqual([200, 'image/png'])
    expect(dark.headers.etag).not.toBe(light.headers.etag)
    for (const { headers } of [light, dark]) expect(headers).not.toHaveProperty('set-cookie')

    const head = await client.request('HEAD', '/brand/logo')
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', light.headers.etag])
    expect(head.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect((await client.request(method, '/brand/logo')).status, method).toBe(405)
  })
}

test('a browser that has the logo is answered 304 without a body, and one that has another gets it', async ({
  start,
}) => {
  const client = new Client(await start({ env: { APP_LOGO: logoFile(LOGO_WEBP) } }))
  const { headers } = await client.get('/brand/logo')
  const etag = headers.etag ?? ''
  expect(headers).toMatchObject({ 'content-type': 'image/webp', 'content-length': String(LOGO_WEBP.length) })
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await client.get('/brand/logo', { headers: { 'If-None-Match': known } })
    expect([answer.status, answer.text, answer.headers.etag], known).toEqual([304, '', etag])
    expect(answer.headers['content-security-policy']).toBe(policy)
  }
  for (const other of ['"other"', etag.replaceAll('"', ''), ''])
    expect((await client.get('/brand/logo', { headers: { 'If-None-Match': other } })).status, other).toBe(200)
})

test('a logo has one policy, and wrong methods on it name the right ones', async ({ start }) => {
  const { port } = await start({ env: { APP_LOGO: logoFile(LOGO_SVG) } })
  const logo = await exchange(port, rawRequest('GET', '/brand/logo'))
  expect(headersOf(logo)['content-security-policy']).toEqual([policy])
  for (const method of ['POST', 'OPTIONS', 'TRACE', 'PROPFIND']) {
    const answer = await exchange(port, rawRequest(method, '/brand/logo'))
    expect([statusOf(answer), headersOf(answer).allow], method).toEqual([405, ['GET, HEAD']])
  }
})

test('a logo that no file is set for is not found', async ({ client, start }) => {
  for (const path of ['/brand/logo', '/brand/logo-dark']) expectError(await client.get(path), 404, 'not_found')
  const remote = new Client(await start({ env: { APP_LOGO: 'https://www.example.com/logo.svg' } }))
  expectError(await remote.get('/brand/logo'), 404, 'not_found')
})

test('a logo is read at the start: a new file is served after a restart', async ({ start }) => {
  const APP_LOGO = logoFile(LOGO_SVG)
  const server = await start({ env: { APP_LOGO } })
  const client = new Client(server)
  const { etag } = (await client.get('/brand/logo')).headers
  writeFileSync(APP_LOGO, LOGO_PNG)
  expect((await client.get('/brand/logo')).headers.etag).toBe(etag)
  await server.restart()
  const renewed = await client.get('/brand/logo', { headers: { 'If-None-Match': etag ?? '' } })
  expect([renewed.status, renewed.headers['content-type']]).toEqual([200, 'image/png'])
})

test('the front end of a split deployment serves its own logo', async ({ startSplitDeployment }) => {
  const { frontEnd } = await startSplitDeployment({ frontEndEnv: { APP_LOGO: logoFile(LOGO_SVG) } })
  const client = new Client(frontEnd)
  expect((await client.get('/brand/logo')).text).toBe(LOGO_SVG)
  const wrong = await client.request('POST', '/brand/logo')
  expectError(wrong, 405, 'method_not_allowed')
  expect(wrong.headers.allow).toBe('GET, HEAD')
})

test('a server does not start with a logo or an accent that cannot be shown, and says why', async ({ start }) => {
  const env = { APP_LOGO: logoFile('<p>no picture</p>'), APP_ACCENT: '#ffcc00', HOME_URL: 'javascript:alert(1)' }
  const error = await start({ env }).then(
    () => '',
    (reason: Error) => reason.message,
  )
  for (const name of Object.keys(env)) expect(error.match(new RegExp(`^ *${name} must `, 'gm')), name).toHaveLength(1)
})
