import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'

const BAD: Record<string, string[]> = {
  JWT_SECRET: ['too short', 'x'.repeat(31)],
  JWT_EXPIRES_IN: ['soon', '7', '-1d', '0s'],
  RATE_LIMIT_LOGIN_WINDOW: ['15', '0m', 'x'],
  RATE_LIMIT_LOGIN_MAX: ['0', '-1', '1.5', 'five'],
  RATE_LIMIT_ADDRESS_MAX: ['0', 'many'],
  APP_ORIGIN: [
    'localhost',
    'http://example.org',
    'https://example.org/path',
    'ftp://localhost',
    'https://ok.example,nonsense',
  ],
  RP_ID: ['evil.example'],
  DATABASE_URL: ['mysql://localhost/x', 'nonsense'],
  BCRYPT_COST: ['9', '16', 'high'],
  WEBAUTHN_USER_VERIFICATION: ['discouraged', 'yes'],
  TRUSTED_PROXIES: ['-1', 'one', '0.5'],
  BACKEND_URL: ['backend', 'ftp://backend.example', 'http://backend.example/api'],
}

for (const [name, values] of Object.entries(BAD)) {
  test(`a bad ${name} stops the start and is named`, async ({ start }) => {
    for (const value of values) {
      await expect(start({ env: { [name]: value } }), value).rejects.toThrow(
        new RegExp(`The server ended:[^]*\\b${name}\\b`),
      )
    }
  })
}

test('every bad setting is told at once, one line each', async ({ start }) => {
  const env = { JWT_SECRET: 'short', BCRYPT_COST: '99', TRUSTED_PROXIES: 'x' }
  const error = await start({ env }).then(
    () => '',
    (reason: Error) => reason.message,
  )
  const lines = error.split('\n').filter((line) => /JWT_SECRET|BCRYPT_COST|TRUSTED_PROXIES/.test(line))
  expect(lines).toHaveLength(3)
  expect(error).not.toMatch(/\bat .*:\d+:\d+/)
})

test('without a secret one is made beside the embedded database, private and kept', { tag: '@embedded' }, async ({
  start,
}) => {
  const server = await start({ env: { JWT_SECRET: undefined } })
  const client = new Client(server)
  await signUp(client)
  const folder = dirname(server.database)
  const made = readdirSync(folder).filter((name) => !name.startsWith('latchkey.db'))
  expect(made).toHaveLength(1)
  expect(statSync(join(folder, made[0] ?? '')).mode & 0o777).toBe(0o600)
  await server.restart()
  await expectSignedIn(client)
})

test('APP_NAME is the name of the relying party', async ({ start }) => {
  const server = await start({ env: { APP_NAME: 'Ælf & Co' } })
  const answer = await new Client(server).post('/api/auth/register/options', { username: 'anybody' })
  expect(answer.body.rp.name).toBe('Ælf & Co')
})
