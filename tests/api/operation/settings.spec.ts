import { expect, test } from '../../support/fixtures'

// tests/unit/settings/invalid-settings.spec.ts has every value; here servers start with some of them.

test('a server with invalid settings does not start and names each of them on a line of its own @promise', async ({
  start,
}) => {
  const env = {
    JWT_SECRET: 'too short',
    JWT_EXPIRES_IN: 'soon',
    RATE_LIMIT_LOGIN_WINDOW: '15',
    RATE_LIMIT_LOGIN_MAX: 'five',
    RATE_LIMIT_ADDRESS_MAX: '0',
    APP_ORIGIN: 'http://example.org',
    DATABASE_URL: 'mysql://localhost/x',
    BCRYPT_COST: '99',
    WEBAUTHN_USER_VERIFICATION: 'discouraged',
    TRUSTED_PROXIES: 'x',
    BACKEND_URL: 'backend',
  }
  const error = await start({ env }).then(
    () => '',
    (reason: Error) => reason.message,
  )
  expect(error).toContain('The server exited')
  for (const name of Object.keys(env)) expect(error.match(new RegExp(`^ *${name} `, 'gm')), name).toHaveLength(1)
  expect(error).not.toMatch(/\bat .*:\d+:\d+/)
})
