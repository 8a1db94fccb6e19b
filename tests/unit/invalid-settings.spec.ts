import { expect, test } from 'playwright/test'
import { readSettings } from '@/lib/settings/schema'

const JWT_SECRET = 'kY0vQ2m8ZrT5xWb1sJh7LcUeN4pGdA9fVtX3oKi6RyE='

const INVALID: Record<string, string[]> = {
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
  PASSWORDS: ['ON', 'false', 'no'],
  PASSWORD_MIN_LENGTH: ['7', '65', '8.5', 'long'],
  WEBAUTHN_USER_VERIFICATION: ['discouraged', 'yes'],
  TRUSTED_PROXIES: ['-1', 'one', '0.5'],
  BACKEND_URL: ['backend', 'ftp://backend.example', 'http://backend.example/api'],
}

for (const [name, values] of Object.entries(INVALID)) {
  for (const value of values) {
    test(`the setting ${name}=${value} is invalid and named`, () => {
      const { settings, faults } = readSettings({ JWT_SECRET, [name]: value })
      expect(settings).toBeUndefined()
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name} `))])
    })
  }
}
