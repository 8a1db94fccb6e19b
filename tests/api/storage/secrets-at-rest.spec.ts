import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { chmodSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { compareSync } from 'bcryptjs'
import {
  authenticate,
  authenticationOptions,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signUp,
  WRONG_PASSWORD,
} from '../../support/accounts'
import { Client } from '../../support/client'
import { expect, test } from '../../support/fixtures'
import { storedText } from '../../support/storage/stored-text'
import { asChallenge, tokenOf } from '../../support/tokens/tokens'
import { Authenticator } from '../../support/webauthn/authenticator'

test('neither the database nor the log contains a password, a token or a challenge @promise', async ({ start }) => {
  const server = await start()
  const authenticator = new Authenticator(server.origin)
  const client = new Client(server)
  const secrets = new Map<string, string>([['JWT_SECRET', server.secret]])
  const keep = (what: string, value = '') => secrets.set(what, value)
  const password = `plain ${randomName()}`
  const wrong = `wrong ${randomName()}`
  keep('password', password)
  keep('wrong password', wrong)

  const { username, token } = await signUp(client, randomName(), password)
  keep('session', token)
  keep('device', client.jar.get('latchkey-device'))
  await signInWithPassword(new Client(server), username, wrong)
  await client.post('/api/signup', { username, password: wrong })
  await client.post('/api/signup', undefined, {
    raw: `{"password":"${wrong}`,
    headers: { 'Content-Type': 'application/json' },
  })
  await client.post(`/api/i?token=${token}`)
  for (const tampering of [{}, { rpId: 'evil.example' }]) {
    const options = await registrationOptions(client)
    keep(`register challenge ${JSON.stringify(tampering)}`, tokenOf(options))
    await client.post('/api/auth/register/verify', authenticator.create(options, tampering))
  }
  expect((await register(client, authenticator)).status).toBe(201)
  for (const tampering of [
    {},
    { corruptSignature: true },
    { counter: 7 },
    { counter: 6 },
    { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ]) {
    const options = await authenticationOptions(client)
    keep(`sign-in challenge ${JSON.stringify(tampering)}`, tokenOf(options))
    await new Client(server).post('/api/auth/login/verify', authenticator.get(options, tampering))
  }
  let counter = 9
  const byPasskey = await authenticate(client, authenticator, undefined, { counter: 8 })
  keep('session by passkey', byPasskey.body.token)
  keep('step-up token', byPasskey.body.stepUp)
  await new Client(server, { bearer: `${token}x` }).post('/api/i')
  for (const currentPassword of [`current ${randomName()}`, `unneeded ${randomName()}`]) {
    const next = `next ${randomName()}`
    keep(
      `step-up before ${next}`,
      (await authenticate(client, authenticator, undefined, { counter: counter++ })).body.stepUp,
    )
    const changed = await client.post('/api/i/password', { password: next, currentPassword })
    expect(changed.status, changed.text).toBe(200)
    keep(currentPassword, currentPassword)
    keep(next, next)
    keep(`session for ${next}`, changed.body.token)
    keep(`device for ${next}`, client.jar.get('latchkey-device'))
  }
  await client.post('/api/signout')

  const places = { database: storedText(server), log: server.output() }
  expect(places.database).toContain(username)
  for (const [what, secret] of secrets) {
    expect(secret.length, what).toBeGreaterThan(8)
    // A token's signature would betray it, and a challenge travels in base64url.
    const forms = [secret, asChallenge(secret), secret.split('.')[2] ?? secret, Buffer.from(secret).toString('base64')]
    for (const [place, text] of Object.entries(places)) {
      const found = forms.some((form) => text.includes(form))
      expect(found, `${what} in the ${place}`).toBe(false)
    }
  }
})

test('a password is stored as a bcrypt hash at the configured cost @promise', async ({ start }) => {
  const server = await start({ env: { BCRYPT_COST: '11' } })
  await signUp(new Client(server), randomName(), PASSWORD)
  const [hash = ''] = storedText(server).match(/\$2[aby]\$11\$[./A-Za-z0-9]{53}/) ?? []
  expect(compareSync(PASSWORD, hash)).toBe(true)
})

test('attempts are counted under HMACs that nobody without the secret can compute @promise', async ({ start }) => {
  const server = await start()
  const username = randomName()
  expect((await signInWithPassword(new Client(server), username, WRONG_PASSWORD)).status).toBe(401)
  const stored = storedText(server)
  const key = Buffer.from(hkdfSync('sha256', server.secret, '', 'latchkey/rate-limit', 32))
  const hmac = createHmac('sha256', key).update(username).digest('base64url')
  expect(stored).toContain(`password:${hmac.slice(0, 22)}`)
  for (const subject of [username, '127.0.0.1'])
    for (const encoding of ['base64url', 'hex'] as const)
      expect(stored).not.toContain(createHash('sha256').update(subject).digest(encoding).slice(0, 22))
})

test('a deleted account leaves nothing readable in the database file', async ({ start }) => {
  const server = await start()
  await signUp(new Client(server), 'somebody-who-stays')
  const clients = Array.from({ length: 4 }, () => new Client(server))
  const names: string[] = []
  for (const client of clients) names.push((await signUp(client)).username)
  // Last of all, so that no later row happens to take their place in the file.
  for (const client of clients) expect((await client.post('/api/i/delete')).status).toBe(204)
  // On the way out, SQLite moves the write-ahead log into the database.
  await server.kill('SIGTERM')
  const stored = readFileSync(server.database, 'latin1')
  expect(stored).toContain('somebody-who-stays')
  expect(names.filter((name) => stored.includes(name))).toEqual([])
})

test('only their owner can read the database files and the secret, also those that were made readable before', async ({
  start,
}) => {
  const server = await start({ env: { JWT_SECRET: undefined } })
  await signUp(new Client(server))
  const secret = `${dirname(server.database)}/jwt-secret`
  const files = ['', '-wal', '-shm'].map((suffix) => server.database + suffix)
  const modes = () => [...files, secret].map((path) => statSync(path).mode & 0o777)
  expect(modes()).toEqual([0o600, 0o600, 0o600, 0o600])
  // A killed server leaves its write-ahead log behind.
  await server.kill('SIGKILL')
  for (const path of [...files, secret]) chmodSync(path, 0o644)
  await server.restart()
  expect(modes()).toEqual([0o600, 0o600, 0o600, 0o600])
})
