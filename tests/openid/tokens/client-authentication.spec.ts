import { createAccount } from '../../support/accounts'
import { expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectOAuthError, postForm } from '../../support/openid/requests'

const CALLBACK_OF_PUBLIC = 'http://127.0.0.1/callback'

test.describe('client authentication', () => {
  test('client_secret_post and client_secret_basic both work, and Basic is percent-decoded', async ({
    client,
    app,
  }) => {
    await createAccount(client)
    const flow = new Flow(client, app)
    expect((await flow.exchange(await flow.code())).status).toBe(200)
    const encoded = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    for (const pair of [`${app.id}:${app.secret}`, `${encoded(app.id)}:${encoded(app.secret ?? '')}`]) {
      const another = new Flow(client, app)
      const basic = { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
      const code = await another.code()
      const answer = await another.exchange(code, { client_secret: undefined }, basic)
      expect(answer.status, answer.text).toBe(200)
    }
  })

  test('two ways at once are rejected, and so is another client_id in the body', async ({ client, app }) => {
    const flow = new Flow(client, app)
    const basic = { Authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}` }
    expectOAuthError(await flow.exchange('x', {}, basic), 400, 'invalid_request')
    const other = { client_secret: undefined, client_id: 'another' }
    expectOAuthError(await flow.exchange('x', other, basic), 400, 'invalid_request')
  })

  test('a wrong secret, none and an unknown app are invalid_client, with a challenge where Basic was used', async ({
    client,
    app,
    appWith,
  }) => {
    const flow = new Flow(client, app)
    for (const changes of [
      { client_secret: 'wrong' },
      { client_secret: undefined },
      { client_secret: '' },
      { client_id: 'unknown' },
      { client_id: 'a\0b' },
      { client_id: undefined },
    ]) {
      const answer = await flow.exchange('x', changes)
      expectOAuthError(answer, 401, 'invalid_client')
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
    const form = { client_id: undefined, client_secret: undefined }
    const pairs = [`${app.id}:wrong`, `${app.id}:`, 'nobody:x', '%zz:x', '']
    for (const credentials of [...pairs.map((pair) => Buffer.from(pair).toString('base64')), 'not*Base64']) {
      const answer = await flow.exchange('x', form, { Authorization: `Basic ${credentials}` })
      expectOAuthError(answer, 401, 'invalid_client')
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    }
    const open = await appWith(CALLBACK_OF_PUBLIC, '--public')
    const withSecret = await new Flow(client, open).exchange('x', { client_secret: 'any' })
    expectOAuthError(withSecret, 401, 'invalid_client')
    expect(withSecret.body.error_description).toContain('public')
  })

  test('errors of the authorization endpoint keep that format as well, and no page of another origin can read them', async ({
    client,
    app,
  }) => {
    const path = '/api/oauth/authorize'
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const wrongMethod = await client.request('PUT', path, { headers })
    expectOAuthError(wrongMethod, 405, 'invalid_request')
    expect(wrongMethod.headers.allow).toBe('GET, HEAD, POST')
    const json = await client.post(path, { client_id: app.id }, { headers })
    expectOAuthError(json, 415, 'invalid_request')
    expect(json.body.error_description).toContain('application/x-www-form-urlencoded')
    const large = await postForm(client, path, { state: 'x'.repeat(9_000) }, headers)
    expectOAuthError(large, 413, 'invalid_request')
    for (const answer of [wrongMethod, json, large])
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('errors of the protocol keep its format for a wrong method, media type, size and body', async ({
    client,
    app,
  }) => {
    const path = '/api/oauth/token'
    const wrongMethod = await client.get(path)
    expectOAuthError(wrongMethod, 405, 'invalid_request')
    expect(wrongMethod.headers.allow).toBe('POST')
    for (const method of ['PROPFIND', 'TRACE']) {
      const unknown = await client.request(method, path)
      expectOAuthError(unknown, 405, 'invalid_request')
      expect([unknown.headers.allow, unknown.headers['cache-control']], method).toEqual(['POST', 'no-store'])
    }
    const json = await client.post(path, { grant_type: 'x' })
    expectOAuthError(json, 415, 'invalid_request')
    expect(json.body.error_description).toContain('application/x-www-form-urlencoded')
    expectOAuthError(await postForm(client, path, { x: 'x'.repeat(70_000) }), 413, 'invalid_request')
    const twice = new URLSearchParams([...new Flow(client, app).parameters(), ['client_id', app.id]])
    expectOAuthError(await postForm(client, path, twice), 400, 'invalid_request')
    const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`x${index}`, '']))
    expectOAuthError(await postForm(client, path, many), 401, 'invalid_client')
    expectOAuthError(
      await postForm(client, path, new URLSearchParams([...Object.entries(many), ['x1', '']])),
      400,
      'invalid_request',
    )
    const credentials = { client_id: app.id, client_secret: app.secret }
    expectOAuthError(await postForm(client, path, credentials), 400, 'invalid_request')
    // The latter is a name that every object has.
    for (const grant_type of ['password', 'constructor'])
      expectOAuthError(await postForm(client, path, { ...credentials, grant_type }), 400, 'unsupported_grant_type')
    const codeless = { ...credentials, grant_type: 'authorization_code' }
    expectOAuthError(await postForm(client, path, codeless), 400, 'invalid_request')
  })

  test('pages of any origin may call the token endpoint and userinfo, without credentials', async ({ client }) => {
    const Origin = 'https://spa.example'
    for (const [path, allow] of [
      ['/api/oauth/token', 'POST'],
      ['/api/oauth/revoke', 'POST'],
      ['/api/oauth/userinfo', 'GET, HEAD, POST'],
    ] as const) {
      const headers = { Origin, 'Access-Control-Request-Method': 'POST', 'Sec-Fetch-Site': 'cross-site' }
      const preflight = await client.request('OPTIONS', path, { headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers['access-control-allow-origin']).toBe('*')
      expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
      expect(preflight.headers['access-control-allow-methods']).toBe(allow)
      const plain = await client.request('OPTIONS', path, { headers: { Origin } })
      expectOAuthError(plain, 405, 'invalid_request')
      expect(plain.headers).toMatchObject({ allow, 'access-control-allow-origin': '*' })
      const answer = await postForm(client, path, {}, { Origin, 'Sec-Fetch-Site': 'cross-site' })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })
})
