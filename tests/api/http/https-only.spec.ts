import { expect, test } from '../../support/fixtures'
import { exchange, headersOf, rawRequest, statusOf } from '../../support/network/raw-http'

const origins = 'https://id.example.com,https://login.example.com'
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json' }

test('with an https origin, what a trusted proxy says came by http is redirected or rejected, and sets no cookie', async ({
  start,
}) => {
  const { port } = await start({ env: { APP_ORIGIN: origins, TRUSTED_PROXIES: '1' } })
  const send = async (method: string, path: string, headers = {}, body = '') => {
    const response = await exchange(port, rawRequest(method, path, { 'X-Forwarded-Proto': 'http', ...headers }, body))
    expect(headersOf(response)['set-cookie'], `${method} ${path}`).toBeUndefined()
    return {
      status: statusOf(response),
      location: headersOf(response).location?.[0],
      text: response.split('\r\n\r\n')[1],
    }
  }
  for (const method of ['GET', 'HEAD'])
    for (const path of [
      '/signin?locale=de',
      '/',
      '//evil.example/x',
      '/api/oauth/authorize?client_id=x',
      '/api/i',
      '/nowhere',
    ])
      expect(await send(method, path)).toMatchObject({ status: 308, location: `https://id.example.com${path}` })
  expect(await send('GET', '/', { Host: 'LOGIN.example.com:80' })).toMatchObject({
    location: 'https://login.example.com/',
  })
  expect(await send('GET', '/', { Host: 'evil.example' })).toMatchObject({ location: 'https://id.example.com/' })
  const body = '{"username":"somebody","password":"a long password"}'
  for (const [path, headers] of [
    ['/api/signup', json],
    ['/api/oauth/token', form],
    ['/signin', form],
  ] as const) {
    const answer = await send('POST', path, headers, body)
    expect(answer, path).toMatchObject({ status: 400, text: expect.stringContaining('https') })
  }
  expect(await send('DELETE', '/nowhere')).toMatchObject({ status: 400 })
  // The word of the proxy is the last; a client wrote what stands before it.
  expect(await send('GET', '/api/nowhere', { 'X-Forwarded-Proto': 'https, HTTP' })).toMatchObject({ status: 308 })
  expect(await send('GET', '/api/nowhere', { 'X-Forwarded-Proto': 'http, https' })).toMatchObject({ status: 404 })
  expect(await send('GET', '/api/nowhere', { 'X-Forwarded-Proto': '' })).toMatchObject({ status: 404 })
  // Of a probe, and of another site's request that a proxy asks about.
  expect(await send('GET', '/api/health')).toMatchObject({ status: 200 })
  const asked = { 'X-Forwarded-Host': 'app.example.com', 'X-Forwarded-Uri': '/' }
  expect((await send('GET', '/api/forward-auth', asked)).status).not.toBe(308)
})

test('nobody is believed to have come by http without a trusted proxy, or with an http origin', async ({ start }) => {
  for (const env of [{ APP_ORIGIN: origins }, { TRUSTED_PROXIES: '1' }]) {
    const { port } = await start({ env })
    const answer = await exchange(port, rawRequest('POST', '/api/i', { 'X-Forwarded-Proto': 'http' }))
    expect(statusOf(answer)).toBe(401)
  }
})
