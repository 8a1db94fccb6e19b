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
  CRON_SECRET: ['fifteen-letters', 'sixteen letters x'],
  WEBHOOK_SECRET: [
    ...['secret', 'whsec_', `whsec_${'a'.repeat(31)}`, `${'a'.repeat(32)}`, `whsec_${'ä'.repeat(32)}`],
    ...[
      `whsec_${'a'.repeat(32)},whsec_short`,
      Array(3)
        .fill(`whsec_${'a'.repeat(32)}`)
        .join(),
    ],
  ],
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

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

for (const url of ['receiver', 'ftp://example.com/', 'https://ada:secret@example.com/', 'https://ada@example.com/'])
  test(`WEBHOOK_URL=${url} is invalid and named, without what may be secret in it`, () => {
    const { faults } = readSettings({ JWT_SECRET, WEBHOOK_URL: url, WEBHOOK_SECRET })
    expect(faults).toEqual([expect.stringMatching(/^WEBHOOK_URL must /)])
    expect(faults[0]).not.toContain('secret@')
  })

test('WEBHOOK_URL requires WEBHOOK_SECRET, of which there may be two', () => {
  const WEBHOOK_URL = 'http://10.0.0.5/hooks'
  expect(readSettings({ JWT_SECRET, WEBHOOK_URL }).faults).toEqual([
    expect.stringMatching(/^WEBHOOK_SECRET must be set with WEBHOOK_URL/),
  ])
  const secrets = [Buffer.alloc(24, 7), Buffer.alloc(40, 8)]
  const both = secrets.map((bytes) => `whsec_${bytes.toString('base64')}`).join(',')
  const { settings } = readSettings({ JWT_SECRET, WEBHOOK_URL, WEBHOOK_SECRET: both })
  expect(settings?.webhooks).toEqual({ url: WEBHOOK_URL, secrets })
})
