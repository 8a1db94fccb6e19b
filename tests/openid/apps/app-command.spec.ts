import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAccount } from '../../support/accounts'
import { expect, test } from '../../support/fixtures'
import { needs } from '../../support/machine/needs'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { makeCertificate } from '../../support/network/certificate'
import { registerApp, smallPng } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { expectOAuthError } from '../../support/openid/requests'
import { accounts, accountsJson, accountsProcess, startAccounts } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import { logLines } from '../../support/server/server-log'
import { takeLock } from '../../support/storage/database-lock'
import { storedText } from '../../support/storage/stored-text'

const randomApp = () => `app-${randomBytes(6).toString('hex')}`
const CALLBACK = 'https://budget.example.com/openid/callback'

test('accounts app registers an app, and shows, changes and deletes it by its id or its name', async ({ server }) => {
  const name = randomApp()
  const added = await accountsJson(server, 'app', 'add', name, CALLBACK, 'app.immich:///oauth-callback')
  expect(added).toEqual({
    app: {
      id: expect.stringMatching(/^[\da-f]{24}$/),
      name,
      redirectUris: [CALLBACK, 'app.immich:///oauth-callback'],
      signOutUris: [],
      backChannelUri: null,
      homeUrl: null,
      icon: null,
      public: false,
      pkce: 'or_nonce',
      trusted: false,
      requirePasskey: false,
      groups: [],
      machine: false,
      device: false,
      managed: false,
      createdAt: expect.any(String),
      lastRefusal: null,
    },
    secret: expect.stringMatching(/^lk_[\w-]{43}$/),
    issuer: expect.stringMatching(/^http:/),
  })
  const { app } = added
  expect((await accountsJson(server, 'app', 'list')).apps).toContainEqual(app)
  expect(await accountsJson(server, 'app', 'show', app.id)).toEqual({ app })

  const options = ['--trusted', '--no-pkce', '--require-passkey', '--home', 'https://budget.example.com']
  const lists = ['--group', 'family', '--group', 'friends', '--sign-out-uri', 'https://budget.example.com/bye']
  const changed = { trusted: true, pkce: 'off', requirePasskey: true, homeUrl: 'https://budget.example.com' }
  const listed = { groups: ['family', 'friends'], signOutUris: ['https://budget.example.com/bye'] }
  expect(await accountsJson(server, 'app', 'change', name, ...options, ...lists)).toEqual({
    app: { ...app, ...changed, ...listed },
  })
  const back = ['--no-trusted', '--pkce', '--no-require-passkey', '--no-home', '--no-group', '--no-sign-out-uri']
  expect(await accountsJson(server, 'app', 'change', app.id, ...back)).toEqual({ app })
  const renamed = await accountsJson(server, 'app', 'change', app.id, '--name', `${name}!`, '--redirect-uri', CALLBACK)
  expect(renamed.app).toEqual({ ...app, name: `${name}!`, redirectUris: [CALLBACK] })
  expect((await accounts(server, 'app', 'change', app.id)).code).toBe(2)

  expect((await accounts(server, 'app', 'delete', `${name}!`)).code).toBe(1)
  expect(await accountsJson(server, 'app', 'delete', `${name}!`, '--yes')).toEqual(renamed)
  expect((await accounts(server, 'app', 'show', app.id)).code).toBe(1)
})

test('accounts app shows a secret once, and stores only its digest', async ({ server }) => {
  const { app, secret } = await accountsJson(server, 'app', 'add', randomApp(), CALLBACK)
  const another = await accountsJson(server, 'app', 'new-secret', app.id, '--keep-old', '24h')
  expect(another).toEqual({ app, secret: expect.stringMatching(/^lk_/) })
  expect(another.secret).not.toBe(secret)
  const stored = storedText(server)
  expect(stored).toContain(app.id)
  for (const one of [secret, another.secret]) expect(stored).not.toContain(one.slice(3))
})

test('a public app has no secret and requires PKCE, which no option takes from it', async ({ server }) => {
  const name = randomApp()
  expect(await accounts(server, 'app', 'add', name, CALLBACK, '--public', '--no-pkce')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('PKCE'),
  })
  const { secret, app } = await accountsJson(server, 'app', 'add', name, CALLBACK, '--no-pkce')
  expect([typeof secret, app.pkce]).toEqual(['string', 'off'])
  expect((await accounts(server, 'app', 'change', name, '--public')).code).toBe(2)
  const changed = await accountsJson(server, 'app', 'change', name, '--public', '--pkce')
  expect(changed.app).toMatchObject({ public: true, pkce: 'required' })
  for (const option of ['--no-pkce', '--no-require-pkce'])
    expect((await accounts(server, 'app', 'change', name, option)).code, option).toBe(2)
  expect(await accounts(server, 'app', 'new-secret', name)).toMatchObject({ code: 1, stdout: '' })
  const added = await accountsJson(server, 'app', 'add', randomApp(), 'http://127.0.0.1/callback', '--public')
  expect(added).not.toHaveProperty('secret')
  expect(added.app).toMatchObject({ public: true, pkce: 'required' })
})

test('--require-pkce and --no-pkce exclude each other, and each is undone by its opposite', async ({ server }) => {
  const { app } = await accountsJson(server, 'app', 'add', randomApp(), CALLBACK, '--require-pkce')
  expect(app.pkce).toBe('required')
  for (const [option, rule] of [
    ['--no-require-pkce', 'or_nonce'],
    ['--no-pkce', 'off'],
    ['--pkce', 'or_nonce'],
  ] as const)
    expect((await accountsJson(server, 'app', 'change', app.id, option)).app.pkce, option).toBe(rule)
  expect((await accounts(server, 'app', 'change', app.id, '--require-pkce', '--no-pkce')).code).toBe(2)
})

const badAddresses: [uri: string, says: string][] = [
  ['http://app.example.com/callback', 'https'],
  ['http://localhost.example.com/callback', 'https'],
  ['http://.localhost/callback', 'https'],
  ['http://xlocalhost/callback', 'https'],
  ['http://127.1/callback', 'https'],
  ['http://0x7f.0.0.1/callback', 'https'],
  ['https://app.example.com/callback#top', 'fragment'],
  ['https://app.example.com/callback#', 'fragment'],
  ['https://*.example.com/callback', 'wildcard'],
  ['https://app.example.com/*', 'wildcard'],
  ['https://user@app.example.com/callback', 'user information'],
  ['https://app.example.com:443@evil.example/callback', 'user information'],
  ['com.example.app://user@host/callback', 'user information'],
  ['https://app.example.com/a/../callback', 'dot segments'],
  ['https://app.example.com/./callback', 'dot segments'],
  ['https://app.example.com/a/%2e%2E/callback', 'dot segments'],
  ['https://app.example.com/..', 'dot segments'],
  ['https://app.example.com\\callback', 'backslash'],
  ['https://app.example.com/call back', 'ASCII'],
  ['https://äpp.example.com/', 'ASCII'],
  ['/callback', 'absolute'],
  ['app.example.com/callback', 'absolute'],
  ['https:/app.example.com/callback', 'absolute'],
  ['https:///callback', 'absolute'],
  ['https://app.example.com:99999/callback', 'absolute'],
  ['javascript:alert(1)', 'absolute'],
  ['data:text/html,x', 'absolute'],
  ['ws://app.example.com/', 'absolute'],
]

test('accounts app rejects redirect URIs that could lead elsewhere, says why, and stores nothing', async ({
  server,
}) => {
  const name = randomApp()
  const uris = badAddresses.map(([uri]) => uri)
  const answer = await accounts(server, 'app', 'add', name, 'https://app.example.com/', ...uris)
  expect(answer).toMatchObject({ code: 1, stdout: '' })
  // A sentence for each, in their order.
  const sentences = answer.stderr.split('The URI ').slice(1)
  expect(sentences).toHaveLength(uris.length)
  for (const [index, [uri, says]] of badAddresses.entries()) {
    expect(sentences[index]).toContain(JSON.stringify(uri))
    expect(sentences[index], uri).toContain(says)
  }
  expect((await accounts(server, 'app', 'show', name)).code).toBe(1)
})

test('of commands that register the same name or id at once, one wins @storage', async ({ server }) => {
  const name = randomApp()
  const answers = await Promise.all([accounts, accountsProcess].map((run) => run(server, 'app', 'add', name, CALLBACK)))
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 1])
  const id = randomApp()
  await accountsJson(server, 'app', 'add', randomApp(), CALLBACK, '--id', id)
  expect((await accounts(server, 'app', 'add', randomApp(), CALLBACK, '--id', id)).code).toBe(1)
})

test('on PostgreSQL, of commands that have read one app before either changes it, both hold unless they exclude each other', {
  tag: '@networked',
}, async ({ server }) => {
  const changeAtOnce = async (...changes: [command: string, ...string[]][]) => {
    const { app } = await accountsJson(server, 'app', 'add', randomApp(), CALLBACK)
    const held = await takeLock(server.databaseUrl, `SELECT 1 FROM "App" WHERE "id" = '${app.id}' FOR UPDATE`)
    const run = (index: number) => (index === 0 ? accounts : accountsProcess)
    const changing = changes.map(([command, ...words], index) => run(index)(server, 'app', command, app.id, ...words))
    await held.untilWaiting(changes.length)
    await held.release()
    const codes = (await Promise.all(changing)).map(({ code }) => code)
    return { codes: codes.sort(), app: (await accountsJson(server, 'app', 'show', app.id)).app }
  }
  const both = await changeAtOnce(['change', '--require-passkey'], ['change', '--group', 'family'])
  expect(both).toMatchObject({ codes: [0, 0], app: { requirePasskey: true, groups: ['family'] } })
  const { codes, app } = await changeAtOnce(['change', '--public'], ['change', '--no-pkce'])
  expect(codes).toEqual([0, 1])
  expect(app.public).toBe(app.pkce === 'required')
  const secrets = await changeAtOnce(['new-secret', '--keep-old', '1h'], ['new-secret', '--keep-old', '1h'])
  expect(secrets.codes).toEqual([0, 1])
})

test('a word that is the id of one app and the name of another changes neither', async ({ server }) => {
  const word = randomApp()
  const { app } = await accountsJson(server, 'app', 'add', randomApp(), CALLBACK, '--id', word)
  await accountsJson(server, 'app', 'add', word, CALLBACK)
  const answer = await accounts(server, 'app', 'delete', word, '--yes')
  expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining(`id:${word}`) })
  expect(await accountsJson(server, 'app', 'delete', `id:${word}`, '--yes')).toEqual({ app })
  expect((await accountsJson(server, 'app', 'show', word)).app.name).toBe(word)
})

test('each change to an app leaves a line in the security log', async ({ server }) => {
  const added = await accounts(server, 'app', 'add', randomApp(), CALLBACK, '--json')
  const { app } = JSON.parse(added.stdout)
  const lines = [
    added,
    await accounts(server, 'app', 'change', app.id, '--trusted'),
    await accounts(server, 'app', 'new-secret', app.id),
    await accounts(server, 'app', 'delete', app.id, '--yes'),
  ].flatMap(({ stderr }) => logLines(stderr))
  const events = ['app_registered', 'app_changed', 'app_secret_changed', 'app_deleted']
  expect(lines.map(({ event }) => event)).toEqual(events)
  for (const line of lines) expect(line).toMatchObject({ app: app.id, method: 'operator', outcome: 'success' })
})

test('a secret is good until it is replaced, or for as long as --keep-old says', async ({ client, server }) => {
  const app = await registerApp(server, CALLBACK)
  await createAccount(client)
  const kept = await accountsJson(server, 'app', 'new-secret', app.id, '--keep-old', '1h')
  const flow = new Flow(client, app)
  for (const client_secret of [app.secret, kept.secret])
    expect((await flow.exchange(await flow.code(), { client_secret })).status).toBe(200)
  const { secret } = await accountsJson(server, 'app', 'new-secret', app.id)
  for (const client_secret of [app.secret, kept.secret])
    expectOAuthError(await flow.exchange('x', { client_secret }), 401, 'invalid_client')
  expect((await flow.exchange(await flow.code(), { client_secret: secret })).status).toBe(200)
})

test('an app has a picture, from a file or fetched once, which our own origin serves as that image and nothing else', async ({
  server,
  client,
}) => {
  needs('openssl')
  const folder = temporaryFolder('icon')
  const file = (name: string, bytes: Buffer) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  }
  const png = file('icon.png', smallPng)
  const { app } = await accountsJson(server, 'app', 'add', randomApp(), CALLBACK, '--icon', png)
  expect(app.icon).toMatch(/^\/api\/app-icon\?digest=[\w-]{43}$/)
  const served = await fetch(server.url + app.icon)
  expect(Buffer.from(await served.arrayBuffer())).toEqual(smallPng)
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox;/),
    'cache-control': 'public, max-age=31536000, immutable',
  })

  const wide = Buffer.from(smallPng)
  wide.writeUInt32BE(30_000, 16)
  for (const [bytes, fault] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), /PNG, WebP or JPEG/],
    [Buffer.concat([smallPng, Buffer.alloc(64 * 1024)]), /more than 64 KiB/],
    [wide, /30000 by 1 pixels/],
  ] as const) {
    const refused = await accounts(server, 'app', 'change', app.id, '--icon', file('wrong', bytes))
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(fault)])
  }
  for (const [url, fault] of [
    ['http://localhost/icon.png', /https URL/],
    ['https://169.254.169.254/icon.png', /never called/],
  ] as const) {
    const refused = await accounts(server, 'app', 'change', app.id, '--icon', url)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(fault)])
  }
  expect((await accountsJson(server, 'app', 'show', app.id)).app.icon).toBe(app.icon)

  // Fetched by who trusts the certificate.
  const { certFile, keyFile } = makeCertificate(folder, ['localhost'])
  const jpeg = Buffer.from('ffd8ffc0000b080010001001011100ffd9', 'hex')
  const there = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) }, ({ url }, response) => {
    if (url === '/moved') response.writeHead(302, { Location: '/icon' }).end()
    else response.end(jpeg)
  }).listen(0, '127.0.0.1')
  await once(there, 'listening')
  const { port } = there.address() as AddressInfo
  const settings = { ...settingsOf(server), NODE_EXTRA_CA_CERTS: certFile }
  for (const [path, code] of [
    ['moved', 1],
    ['icon', 0],
  ] as const) {
    const fetching = startAccounts(settings, ['app', 'change', app.id, '--icon', `https://localhost:${port}/${path}`])
    expect((await once(fetching, 'close'))[0]).toBe(code)
  }
  there.close()
  const { app: changed } = await accountsJson(server, 'app', 'show', app.id)
  expect((await fetch(server.url + changed.icon)).headers.get('content-type')).toBe('image/jpeg')
  expect((await client.get(app.icon)).status).toBe(404)
  expect((await accountsJson(server, 'app', 'change', app.id, '--no-icon')).app.icon).toBe(null)
  expect((await client.get(changed.icon)).status).toBe(404)
})
