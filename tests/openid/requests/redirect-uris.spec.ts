import { wordsIn } from '@/lib/messages/catalogues'
import type { Answer } from '../../support/client'
import { CALLBACK, expect, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'

/** Asserts a page in place of a redirect. */
function expectPage(answer: Answer) {
  expect(answer.status, answer.text).toBe(400)
  expect(answer.headers).not.toHaveProperty('location')
  expect(answer.headers['content-type']).toMatch(/^text\/html/)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
  expect(answer.text).toContain('<html lang="')
}

const NEAR = [
  `${CALLBACK}/`,
  `${CALLBACK}?`,
  `${CALLBACK}?next=/`,
  `${CALLBACK}#`,
  `${CALLBACK}x`,
  CALLBACK.slice(0, -1),
  CALLBACK.replace('https', 'http'),
  CALLBACK.replace('https', 'HTTPS'),
  CALLBACK.replace('app.', 'APP.'),
  CALLBACK.replace('.com', '.com:443'),
  CALLBACK.replace('.com', '.com:8443'),
  CALLBACK.replace('.com', '.com.'),
  CALLBACK.replace('.com', '.com@evil.example'),
  CALLBACK.replace('https://', 'https://evil.example@'),
  CALLBACK.replace('https://', 'https://evil.example\\@'),
  CALLBACK.replace('/callback', '/x/../callback'),
  CALLBACK.replace('/callback', '/./callback'),
  CALLBACK.replace('/callback', '/%2e/callback'),
  CALLBACK.replace('/callback', '%2Fcallback'),
  CALLBACK.replace('/callback', '//callback'),
  CALLBACK.replace('callback', 'call%62ack'),
  CALLBACK.replace('app.example.com', '*.example.com'),
  'https://evil.example/callback',
  'javascript:alert(1)',
  ` ${CALLBACK}`,
  `${CALLBACK}\0`,
  '/callback',
  '',
]

test('a redirect URI that differs by anything gets a page and never a redirect @promise', async ({ client, app }) => {
  const flow = new Flow(client, app)
  for (const redirect_uri of NEAR) {
    const answer = await flow.ask({ redirect_uri })
    expectPage(answer)
    expect(answer.text, redirect_uri).not.toMatch(/(href|src|action)="[^"]*evil/)
  }
  expectPage(await flow.ask({ redirect_uri: undefined }))
})

test('an unknown app, and either parameter repeated, gets a page and never a redirect @promise', async ({
  client,
  app,
}) => {
  const flow = new Flow(client, app)
  for (const client_id of ['unknown', '', undefined, app.id.toUpperCase(), `${app.id}\0`, app.name])
    expectPage(await flow.ask({ client_id }))
  for (const name of ['client_id', 'redirect_uri']) {
    const twice = flow.parameters()
    twice.append(name, twice.get(name) ?? '')
    expectPage(await client.get(`/api/oauth/authorize?${twice}`))
  }
})

test('the page names the redirect URI that is not registered, escaped and at most 200 characters of it', async ({
  client,
  app,
}) => {
  const shown: [sent: string, html: string][] = [
    ['https://app.example.com/other?a=1', 'https://app.example.com/other?a=1'],
    ['https://x.example/"><script>', 'https://x.example/&quot;&gt;&lt;script&gt;'],
    ['https://x.example/ call \u202eme\ud83d', 'https://x.example/%20call%20%E2%80%AEme%EF%BF%BD'],
    [`https://x.example/${'y'.repeat(300)}`, `https://x.example/${'y'.repeat(182)}...`],
    [`https://x.example/${'é'.repeat(182)}`, `https://x.example/${'%C3%A9'.repeat(182)}`.slice(0, 200)],
  ]
  for (const [redirect_uri, html] of shown) {
    const answer = await new Flow(client, app).ask({ redirect_uri })
    expectPage(answer)
    expect(answer.text).toContain(`unregistered redirect_uri ${html}`)
  }
})

test('the page has the command that registers an app on this device, and none for an address elsewhere or one that a shell would read', async ({
  client,
  app,
}) => {
  const own = 'http://localhost:3000/auth/callback'
  const ask = async (client_id: string, redirect_uri: string) => {
    const answer = await new Flow(client, app).ask({ client_id, redirect_uri })
    expectPage(answer)
    return answer.text
  }
  expect(await ask(app.id, own)).toContain(`npm run accounts -- app change id:${app.id} --redirect-uri ${own} `)
  expect(await ask('notes', own)).toContain(`npm run accounts -- app add notes ${own} --id notes`)
  for (const elsewhere of [
    'https://app.example.com/other',
    'com.example.app:/callback',
    `${own}?$(id)`,
    `${own}?a;b`,
    `${own}'`,
  ])
    for (const id of [app.id, 'notes']) expect(await ask(id, elsewhere), elsewhere).not.toContain('npm run')
  for (const id of ['--help', 'a b', '$(id)', 'x'.repeat(65)]) expect(await ask(id, own), id).not.toContain('npm run')
})

test('the page about an unknown app is in the language of the browser, and shows nothing of the request', async ({
  client,
}) => {
  const flow = new Flow(client, { id: '<script>', name: '', secret: '', redirectUri: '"><img src=x>' })
  const answer = await client.get(flow.path(), { headers: { 'Accept-Language': 'de' } })
  expectPage(answer)
  expect(answer.text).toContain('<html lang="de"')
  expect(answer.text).not.toMatch(/script>|<img/)
})

test('a repeated parameter is told to the app, with the state unless that is what is repeated', async ({
  client,
  app,
}) => {
  const flow = new Flow(client, app)
  for (const name of ['scope', 'nonce', 'response_type', 'code_challenge', 'unknown']) {
    const twice = flow.parameters({ unknown: 'x' })
    twice.append(name, 'again')
    const query = flow.toApp(await client.get(`/api/oauth/authorize?${twice}`))
    expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', flow.state])
  }
  const twice = flow.parameters()
  twice.append('state', 'another')
  const query = flow.toApp(await client.get(`/api/oauth/authorize?${twice}`))
  expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', null])
})

test("only the port of a public app's loopback address may differ, of localhost and names below it as well @promise", async ({
  client,
  appWith,
}) => {
  const registered = [
    'http://127.0.0.1/callback',
    'http://[::1]:8080/callback',
    'http://localhost/callback',
    'http://notes.localhost:3000/callback',
  ]
  const open = await appWith(...registered, '--public')
  const flow = (redirectUri: string) => new Flow(client, { ...open, redirectUri })
  for (const uri of [
    'http://127.0.0.1:51004/callback',
    'http://[::1]/callback',
    'http://localhost:33418/callback',
    'http://notes.localhost/callback',
    ...registered,
  ]) {
    const answer = await flow(uri).ask({ prompt: 'none' })
    expect(String(answer.headers.location), answer.text).toMatch(/\?error=login_required/)
    expect(String(answer.headers.location).startsWith(`${uri}?`)).toBe(true)
  }
  for (const uri of [
    'http://127.0.0.1:51004/callback/',
    'http://127.0.0.1:51004/other',
    'http://127.0.0.2/callback',
    'https://127.0.0.1/callback',
    'http://127.0.0.1:x/callback',
    'http://127.0.0.1:123456/callback',
    'http://127.0.0.1:99999/callback',
    'http://127.0.0.1:80@evil.example/callback',
    'http://other.localhost:3000/callback',
    'http://localhost.evil.example/callback',
    'http://evil.example:80/callback?localhost',
    'https://localhost:33418/callback',
  ])
    expectPage(await flow(uri).ask())
  const confidential = await appWith('http://127.0.0.1/callback', 'http://localhost/callback')
  for (const redirect_uri of ['http://127.0.0.1:51004/callback', 'http://localhost:51004/callback'])
    expectPage(await new Flow(client, confidential).ask({ redirect_uri }))
})

test('a bare origin and an address with a query get their answer behind them', async ({ client, appWith }) => {
  const uris = ['https://bare.example.com', 'https://query.example.com/?tenant=1']
  const app = await appWith(...uris)
  const answers = uris.map((redirectUri) => new Flow(client, { ...app, redirectUri }).ask({ prompt: 'none' }))
  const [bare, withQuery] = (await Promise.all(answers)).map(({ headers }) => String(headers.location))
  expect(bare).toMatch(/^https:\/\/bare\.example\.com\?error=/)
  expect(withQuery).toMatch(/^https:\/\/query\.example\.com\/\?tenant=1&error=/)
})

test('a state of 2 KiB comes back as it was, through the sign-in page as well', async ({ client, app }) => {
  const state = 'x'.repeat(2048)
  const flow = new Flow(client, app)
  expect(flow.toApp(await flow.ask({ state, prompt: 'none' })).get('state')).toBe(state)
  const answer = await flow.ask({ state })
  expect(String(answer.headers.location)).toContain(state)
  // What nginx reads of an answer's head by default.
  expect(String(answer.headers.location).length).toBeLessThan(3_600)
})

test('form_post answers with a document that sends itself to the app, under a policy that names it @promise', async ({
  client,
  app,
}) => {
  const state = `"><script>alert(1)</script>&'`
  const answer = await new Flow(client, app).ask({ response_mode: 'form_post', prompt: 'none', state })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  const policy = String(answer.headers['content-security-policy'])
  const [, nonce] = /script-src 'nonce-([\w+/=]+)'/.exec(policy) ?? []
  expect(policy).toContain('form-action https://app.example.com;')
  expect(policy).toContain("frame-ancestors 'none'")
  expect(answer.text).toContain(`<script nonce="${nonce}">`)
  expect(answer.text).toContain(`<form method="post" action="${CALLBACK}">`)
  expect(answer.text).toContain('name="error" value="login_required"')
  expect(answer.text).not.toContain('<script>alert')
  expect(answer.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&#39;"')
})

test("form_post's button for browsers without JavaScript is in the language of the person", async ({
  another,
  app,
}) => {
  const client = another({ headers: { 'Accept-Language': 'de' } })
  const answer = await new Flow(client, app).ask({ response_mode: 'form_post', prompt: 'none' })
  expect(answer.text).toContain('<html lang="de" dir="ltr">')
  expect(answer.text).toContain(`<noscript><button>${wordsIn('de').appRequest.next}</button></noscript>`)
})

test('form_post to an IPv6 address is under a policy that names its scheme, since no policy can name such an address @promise', async ({
  client,
  appWith,
}) => {
  const app = await appWith('http://[::1]:8080/callback')
  const answer = await new Flow(client, app).ask({ response_mode: 'form_post', prompt: 'none' })
  expect(answer.headers['content-security-policy']).toContain('form-action http:;')
})

test('every answer leads on by 303, and no page of another origin can read one @promise', async ({ client, app }) => {
  const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const answer = await client.get(new Flow(client, app).path(), { headers })
  expect(answer.status).toBe(303)
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  expect(answer.headers['referrer-policy']).toBe('no-referrer')
  expect(answer.headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('a request whose way over the sign-in page has too long an address gets a page that says so, and a shorter one signs in', async ({
  client,
  app,
}) => {
  const ask = (state: string) => new Flow(client, app).ask({ state })
  const long = await ask('%'.repeat(2_400))
  expectPage(long)
  expect(long.text).toContain(wordsIn('en').errors.payload_too_large)
  const short = await ask('%'.repeat(1_200))
  expect(short.status).toBe(303)
  const page = String(short.headers.location)
  // What it leads to is not rejected for its length, with the cookies and headers of a browser.
  const headers = { Cookie: 'a='.padEnd(2_000, 'x'), 'User-Agent': 'x'.repeat(500) }
  expect((await client.get(page, { headers })).status).not.toBe(431)
})
