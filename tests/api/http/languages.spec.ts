import { randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'

const failed = (client: Client, headers: Record<string, string>) =>
  client.post('/api/signin', { username: randomName(), password: 'not the password' }, { headers })

const sentences = {
  en: 'Authentication Failed',
  de: 'Anmeldung fehlgeschlagen',
  fr: 'Échec de l’authentification',
  es: 'Error de autenticación',
  ja: '認証に失敗しました',
  ar: 'فشلت المصادقة',
}

test('a failed sign-in says one fixed sentence in each language, under one code', async ({ client }) => {
  for (const [language, error] of Object.entries(sentences)) {
    const { body, headers } = await failed(client, { 'Accept-Language': language })
    expect(body).toEqual({ error, code: 'authentication_failed' })
    expect(headers['content-language']).toBe(language)
  }
})

test('the first language that a browser accepts and that there is decides, and English if there is none', async ({
  client,
}) => {
  const answers: [accepted: string, language: keyof typeof sentences][] = [
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['fr;q=0.5, ja;q=0.9', 'ja'],
    ['fr;q=0.9, ja;q=0.9', 'fr'],
    ['ja;q=0, es;q=0.1', 'es'],
    ['nl, sv;q=0.9', 'en'],
    ['nl, ar;q=0.1', 'ar'],
    ['*', 'en'],
    ['en-XA', 'en'],
    ['de;q=nonsense', 'en'],
    [',;q=,'.repeat(500), 'en'],
  ]
  for (const [accepted, language] of answers)
    expect((await failed(client, { 'Accept-Language': accepted })).body.error, accepted).toBe(sentences[language])
})

test('what a person chose comes before what the browser asks for, unless it is no language', async ({ client }) => {
  client.jar.set('latchkey-locale', 'ja')
  expect((await failed(client, { 'Accept-Language': 'de' })).body.error).toBe(sentences.ja)
  for (const unknown of ['xx', 'en-XA', '__proto__', '']) {
    client.jar.set('latchkey-locale', unknown)
    expect((await failed(client, { 'Accept-Language': 'de' })).body.error, unknown).toBe(sentences.de)
  }
})

test('what is wrong with a field is said in the language, too, with its limits', async ({ client }) => {
  const { body } = await client.post(
    '/api/signup',
    { username: 'a', password: 'short' },
    { headers: { 'Accept-Language': 'de' } },
  )
  expect(body.code).toBe('invalid_request')
  expect(body.fields.username).toMatch(/^3 bis 64 Zeichen/)
})

test('LOCALE fixes the language of every answer', async ({ start }) => {
  const client = new Client(await start({ env: { LOCALE: 'fr' } }))
  client.jar.set('latchkey-locale', 'ja')
  expect((await failed(client, { 'Accept-Language': 'de' })).body.error).toBe(sentences.fr)
})

test('a form sent without JavaScript is answered in the language of its page', async ({ server }) => {
  const headers = { Accept: 'text/html', 'Accept-Language': 'ar', 'Content-Type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(`${server.url}/signin`, { method: 'POST', headers, body: 'username=ada' })
  expect(answer.status).toBe(405)
  const page = await answer.text()
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toContain('<title>JavaScript متوقف · Latchkey</title>')
})
