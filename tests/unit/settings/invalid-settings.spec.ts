import { expect, test } from 'playwright/test'
import { JWT_SECRET } from '../../support/secret'
import { read } from '../../support/unit/settings'

type Row = [name: string, value: string, right: string]
const row =
  (name: string, right: string) =>
  (value: string): Row => [name, value, right]

const [short, long] = ['a'.repeat(31), 'a'.repeat(32)]

const wrong: Row[] = [
  ['JWT_SECRET', 'short', 'at least 32 bytes'],
  ['JWT_SECRET_PREVIOUS', 'short', 'at least 32 bytes'],
  ['JWT_SECRET_PREVIOUS', 'x'.repeat(64), 'must look random; generate one with: openssl rand -base64 48'],
  ['JWT_SECRET_PREVIOUS', JWT_SECRET, 'not the same'],
  ['JWT_EXPIRES_IN', '7', 'a number and a unit'],
  ['RATE_LIMIT_LOGIN_WINDOW', 'soon', 'a number and a unit'],
  ['RATE_LIMIT_LOGIN_MAX', '0', 'a whole number from 1'],
  ['RATE_LIMIT_ADDRESS_MAX', '1.5', 'a whole number from 1'],
  ['BCRYPT_COST', '9', 'from 10 to 15'],
  ['BCRYPT_COST', '16', 'from 10 to 15'],
  ['SIGN_UP', 'invite', 'must be open, invited or closed'],
  ['PASSWORDS', 'no', 'must be on or off'],
  ['PASSWORD_MIN_LENGTH', '7', 'a whole number from 8 to 64'],
  ['WEBAUTHN_USER_VERIFICATION', 'always', 'preferred or required'],
  ['TRUSTED_PROXIES', '-1', 'a whole number from 0'],
  ['PORT', '70000', 'from 1 to 65535'],
  ['DATABASE_URL', 'mysql://x', 'file:'],
  ['DATABASE_URL', 'postgresql://h/d?schema=', 'of 1 to 63 bytes'],
  ['DATABASE_URL', `postgresql://h/d?schema=${'ü'.repeat(32)}`, 'of 1 to 63 bytes'],
  ['DATABASE_URL', 'postgresql://h/d?schema=pg_accounts', 'not begin with pg_'],
  ['DATABASE_URL', 'postgresql://h/d?schema=a%00b', 'NUL'],
  ['DATABASE_URL', 'postgresql://h/d?schema=a"b', 'no double quote'],
  ['REDIS_URL', 'http://127.0.0.1:6379', 'redis://HOST:PORT'],
  ['REDIS_URL', 'redis', 'redis://HOST:PORT'],
  ['UPSTASH_REDIS_REST_URL', 'upstash', 'REST URL'],
  ['REDIS_URL', 'redis://:one@a:7000,redis://:other@b:7001', 'that differ in HOST and PORT only'],
  ['REDIS_URL', 'redis://a:7000/1,redis://b:7001/1', 'for a Redis Cluster'],
  ['REDIS_URL', 'redis://a:7000,b:7001', 'for a Redis Cluster'],
  ['REDIS_URL', 'redis+sentinel://a:26379,b:26379', 'redis+sentinel://HOST:PORT,HOST:PORT/NAME'],
  ['APP_ORIGIN', 'http://id.example.com', 'https://id.example.com or http://localhost'],
  ['APP_ORIGIN', 'https://id.example.com/path', 'an origin such as'],
  ['APP_ORIGIN', 'https://a.example, http://localhost:3000', 'https for every origin'],
  ['RP_ID', 'example.com', 'the host of APP_ORIGIN'],
  ['APP_ORIGIN', 'https://id.example.com,android:apk-key-hash:short', 'base64url after android:apk-key-hash:'],
  ['APP_ORIGIN', `android:apk-key-hash:${'A'.repeat(43)}`, 'also name an origin of the pages'],
  ...['on', 'any, app.example.com', 'https://app.example.com', '*.example.com', '192.0.2.1', 'localhost', 'a.b/c'].map(
    row('CLIENT_DOCUMENTS', 'must be off, any, or hosts such as app.example.com'),
  ),
  ['CLIENT_ORIGINS', 'app.example.com', 'such as https://app.example.com or capacitor://localhost'],
  ['CLIENT_ORIGINS', 'http://app.example.com', 'http on localhost only'],
  ['CLIENT_ORIGINS', 'https://app.example.com/path', '"https://app.example.com/path" is not one'],
  ['CLIENT_ORIGINS', 'https://me@app.example.com', 'is not one'],
  ['CLIENT_ORIGINS', 'https://*.example.com', 'name each origin in full'],
  ['CLIENT_ORIGINS', '*', 'has a wildcard'],
  ['CLIENT_ORIGINS', 'null', 'is not one'],
  ['CLIENT_ORIGINS', 'https://a.example,,https://b.example', '"" is not one'],
  ...[
    'javascript://x',
    'javascript:alert(1)',
    'intent://x',
    'data:text/html',
    'file://host',
    'blob:https://a.example',
  ].map(row('CLIENT_ORIGINS', 'is not one')),
  ['ACCESS_COOKIE_DOMAIN', '.example.com', 'without a leading dot, such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'com', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', '192.168.7.7', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'https://example.com', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'example.com', 'APP_ORIGIN must be https; it is http://localhost:3000'],
  ['ANDROID_APPS', 'com.example.app', 'PACKAGE:FINGERPRINT'],
  ['ANDROID_APPS', `com.example.app:${'AB:'.repeat(31)}`, 'the SHA-256 of the signing certificate'],
  ['ANDROID_APPS', `app:${'AB'.repeat(32)}`, 'such as com.example.app'],
  ['APPLE_APPS', 'com.example.app', 'TEAMID.BUNDLE, such as A1B2C3D4E5.com.example.app'],
  ['APP_NAME', '  ', 'must not be blank'],
  ['APP_NAME', '\u3164', 'must not be blank'],
  ['BACKEND_URL', 'backend', "the backend's own origin"],
  ['BACKEND_URL', 'ftp://backend.example', "the backend's own origin"],
  ['BACKEND_URL', 'http://backend.example/api', "the backend's own origin"],
  ['BACKEND_URL', 'http://localhost:3000', 'forward to itself'],
  ['OTEL_METRICS_EXPORTER', 'console', 'must be otlp, prometheus or none; "console" is not one'],
  ['OTEL_TRACES_EXPORTER', 'prometheus', 'must be otlp or none; "prometheus" is not one'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/protobuf or http/json'],
  ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'grpc', 'must be http/protobuf or http/json'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'a URL such as http://localhost:4318'],
  ['OTEL_EXPORTER_PROMETHEUS_PORT', '0', 'from 1 to 65535'],
  ...['localhost', 'ftp://localhost', 'https://ok.example,nonsense'].map(row('APP_ORIGIN', 'an origin such as')),
  ['RP_ID', 'evil.example', 'the host of APP_ORIGIN'],
  ...['fifteen-letters', 'sixteen letters x'].map(row('CRON_SECRET', 'at least 16 characters without spaces')),
  ...['secret', 'whsec_', `whsec_${short}`, long, `whsec_${'ä'.repeat(32)}`, `whsec_${long},whsec_short`].map(
    row('WEBHOOK_SECRET', 'whsec_ and at least 24 bytes in base64'),
  ),
  ['WEBHOOK_SECRET', [long, long, long].map((one) => `whsec_${one}`).join(), 'one secret, or two'],
]
for (const [name, value, right] of wrong) {
  test(`the setting ${name}=${value} is rejected, and its fault says what would be right`, () => {
    const { settings, faults } = read({ [name]: value })
    expect(settings).toBeUndefined()
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(new RegExp(`^${name} `))
    expect(faults[0]).toContain(right)
  })
}

test('every fault of the settings is reported at once, without the secret', () => {
  const { faults } = read({ JWT_SECRET: 'hunter2', PORT: 'x', BCRYPT_COST: '1', APP_ORIGIN: 'x' })
  expect(faults).toHaveLength(4)
  expect(faults.join()).not.toContain('hunter2')
})

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

for (const url of ['receiver', 'ftp://example.com/', 'https://ada:secret@example.com/', 'https://ada@example.com/'])
  test(`WEBHOOK_URL=${url} is invalid and named, without what may be secret in it`, () => {
    const { faults } = read({ WEBHOOK_URL: url, WEBHOOK_SECRET })
    expect(faults).toEqual([expect.stringMatching(/^WEBHOOK_URL must /)])
    expect(faults[0]).not.toContain('secret@')
  })

const MAIL_FROM = 'Example <no-reply@example.com>'

test('SMTP_URL is a server with or without a user and password, and a wrong one shows neither', () => {
  const serverOf = (SMTP_URL: string) => read({ SMTP_URL, MAIL_FROM }).settings?.mail?.server
  expect(serverOf('smtps://ada:p%40ss@smtp.example.com')).toEqual({
    ...{ host: 'smtp.example.com', port: 465, isTls: true, requiresTls: true },
    credentials: { user: 'ada', pass: 'p@ss' },
  })
  expect(serverOf('smtp://smtp.example.com')).toMatchObject({
    port: 587,
    isTls: false,
    requiresTls: true,
    credentials: null,
  })
  for (const here of ['localhost', '127.0.0.1', '[::1]'])
    expect(serverOf(`smtp://${here}:25`)).toMatchObject({ port: 25, requiresTls: false })
  for (const SMTP_URL of [
    ...['smtp.example.com', 'https://ada:hunter2@example.com', 'smtps://', 'smtps://ada:hunter2@example.com/x'],
    ...['smtps://ada:hunter2@example.com?tls=no', 'smtps://ada@example.com', 'smtps://ada:%hunter2@example.com'],
  ]) {
    const { faults } = read({ SMTP_URL, MAIL_FROM })
    expect(faults, SMTP_URL).toEqual([expect.stringMatching(/^SMTP_URL must /)])
    expect(faults.join()).not.toContain('hunter2')
  }
})

test('MAIL_FROM is one address with or without a name, and only a front end has one of the two settings alone', () => {
  const SMTP_URL = 'smtps://smtp.example.com'
  const fromOf = (text: string) => read({ SMTP_URL, MAIL_FROM: text }).settings?.mail?.from
  expect(fromOf('no-reply@example.com')).toEqual({ name: null, address: 'no-reply@example.com' })
  expect(fromOf('"Ada, Ben" <no-reply@Example.com>')).toEqual({ name: 'Ada, Ben', address: 'no-reply@example.com' })
  for (const wrong of [
    'Example',
    'a@example.com, b@example.com',
    'A <a@example.com> <b@example.com>',
    'A\r\nBcc: b@example.com <a@example.com>',
  ])
    expect(read({ SMTP_URL, MAIL_FROM: wrong }).faults, wrong).toEqual([
      expect.stringMatching(/^MAIL_FROM must be an e-mail address/),
    ])
  expect(read({ SMTP_URL }).faults).toEqual([expect.stringMatching(/^MAIL_FROM must be set with SMTP_URL/)])
  expect(read({ MAIL_FROM }).faults).toEqual([expect.stringMatching(/^SMTP_URL must be set with MAIL_FROM/)])
  expect(read({ MAIL_FROM, BACKEND_URL: 'http://10.0.0.5:3000' }).settings).toMatchObject({
    mail: null,
    offersMail: true,
  })
})

test('WEBHOOK_URL requires WEBHOOK_SECRET, of which there may be two', () => {
  const WEBHOOK_URL = 'http://10.0.0.5/hooks'
  expect(read({ WEBHOOK_URL }).faults).toEqual([expect.stringMatching(/^WEBHOOK_SECRET must be set with WEBHOOK_URL/)])
  const secrets = [Buffer.alloc(24, 7), Buffer.alloc(40, 8)]
  const both = secrets.map((bytes) => `whsec_${bytes.toString('base64')}`).join(',')
  const { settings } = read({ WEBHOOK_URL, WEBHOOK_SECRET: both })
  expect(settings?.webhooks).toEqual({ url: WEBHOOK_URL, secrets })
})

test('MAIL_RECOVERY is a wait of 12 hours to 30 days, with the server, the sender and the origin of its letters', () => {
  const SMTP_URL = 'smtps://smtp.example.com'
  const APP_ORIGIN = 'https://id.example.com'
  const all = { SMTP_URL, MAIL_FROM, APP_ORIGIN }
  const waitOf = (MAIL_RECOVERY = '') => read({ ...all, MAIL_RECOVERY }).settings?.mailRecovery
  expect([waitOf(), waitOf('12h'), waitOf('2d')]).toEqual([null, 43_200_000, 172_800_000])
  for (const wrong of ['11h', '31d', 'on', '12'])
    expect(read({ ...all, MAIL_RECOVERY: wrong }).faults, wrong).toEqual([
      expect.stringMatching(/^MAIL_RECOVERY must /),
    ])
  const BACKEND_URL = 'https://backend.example.com'
  const faulty = {
    'needs SMTP_URL': { APP_ORIGIN },
    'needs APP_ORIGIN': { SMTP_URL, MAIL_FROM },
    'needs MAIL_FROM here': { APP_ORIGIN, BACKEND_URL },
  }
  for (const [fault, given] of Object.entries(faulty))
    expect(read({ ...given, MAIL_RECOVERY: '12h' }).faults).toEqual([expect.stringContaining(`MAIL_RECOVERY ${fault}`)])
  expect(read({ APP_ORIGIN, BACKEND_URL, MAIL_FROM, MAIL_RECOVERY: '12h' }).settings?.mailRecovery).toBe(43_200_000)
})
