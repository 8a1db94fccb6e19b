import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { OAuthError } from '@/lib/api/oauth-errors'
import { repeatedName } from '@/lib/api/urls'
import { readBody } from '@/lib/http/request/body'
import { oauthErrorAnswer } from '@/lib/http/response/errors'
import { requestHandler } from '@/lib/http/route'
import { readAppCredentials } from '@/lib/openid/apps/find'

test('a repeated parameter is found in one pass, wherever it is', () => {
  const names = Array.from({ length: 16_000 }, (_, index) => `name${index}`)
  // A generator can be read once: a second look for each name, whose time grows with the square, would find nothing.
  const readableOnce = function* (all: string[]): Generator<[string, string]> {
    for (const name of all) yield [name, '']
  }
  expect(repeatedName(readableOnce(names))).toBeUndefined()
  expect(repeatedName(readableOnce([...names, 'name7']))).toBe('name7')
  expect(repeatedName(readableOnce(['', 'a', '']))).toBe('')
})

test("a form that repeats a field is invalid, as JSON for a handler of a fork and in OAuth's format for an app", async () => {
  const send = requestHandler('form', async ({ body }) => Response.json(body))
  const sent = (body: string) =>
    new Request('http://localhost/api/note', { method: 'POST', body: new URLSearchParams(body) })
  expect(await (await send(sent('a=1&b='))).json()).toEqual({ a: '1' })
  const response = await send(sent('a=1&__proto__=2&__proto__=3'))
  expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_request' }])
  const error = await readBody(sent('a=1&a=2'), 'form').catch((thrown: unknown) => thrown)
  const description = expect.stringMatching(/repeated: a$/)
  const inOAuth = JSON.parse(String(oauthErrorAnswer(error, new Headers(), 'request').body))
  expect(inOAuth).toEqual({ error: 'invalid_request', error_description: description })
})

test('the name of a repeated parameter is told to an app also where it is empty or not ASCII, and `resource` may repeat', async () => {
  const description = async (name: string) => {
    const body = new URLSearchParams([
      [name, '1'],
      [name, '2'],
    ])
    const sent = new Request('http://localhost/api/oauth/token', { method: 'POST', body })
    const error = await readBody(sent, 'form').catch((thrown: unknown) => thrown)
    return JSON.parse(String(oauthErrorAnswer(error, new Headers(), 'request').body)).error_description
  }
  expect(await description('')).toBe('Missing, malformed or repeated: a parameter without a name')
  expect(await description('é"')).toBe('Missing, malformed or repeated: %C3%A9%22')
  expect(await description('x'.repeat(1000))).toHaveLength('Missing, malformed or repeated: '.length + 64)
  expect(
    repeatedName([
      ['resource', 'a'],
      ['resource', 'b'],
    ]),
  ).toBeUndefined()
})

test('Basic credentials are read with any number of spaces around them, and another scheme is left to the form', () => {
  const form = { client_id: 'of the form' }
  const shown = { id: 'app', secret: 's:1' }
  const encoded = Buffer.from('app:s:1').toString('base64')
  const spaces = ' '.repeat(16_000)
  for (const header of [`Basic ${encoded}`, `bAsIc${spaces}${encoded}${spaces}`])
    expect(readAppCredentials(header, {})).toMatchObject(shown)
  for (const header of [null, '', 'Bearer x', `Basic${encoded}`])
    expect(readAppCredentials(header, form), `${header?.slice(0, 20)}`).toEqual({
      id: form.client_id,
      secret: null,
      details: {},
    })
  for (const header of ['Basic', 'basic '])
    expect(readAppCredentials(header, {}), header).toMatchObject({ id: '', secret: null })
  for (const header of [`Basic ${encoded} x`, `Basic${spaces}!`])
    expect(() => readAppCredentials(header, form), header.slice(-20)).toThrow(OAuthError)
})
