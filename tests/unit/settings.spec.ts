import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { duration } from '@/lib/settings/duration'
import { parseRedisUrl } from '@/lib/settings/redis-url'
import { JWT_SECRET, read } from '../support/settings'

const example = readFileSync('.env.example', 'utf8')

test('the defaults are those that .env.example shows', () => {
  const shown = Object.fromEntries([...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  expect(shown).toMatchObject({ JWT_EXPIRES_IN: '7d', JWT_SECRET: '' })
  const { settings, faults } = read({ ...shown, JWT_SECRET })
  expect(faults).toEqual([])
  expect(read({}).settings).toEqual({ ...settings, originConfigured: false })
})

test('a setting that is not given has its default', () => {
  const { settings, faults } = read({})
  expect(faults).toEqual([])
  expect(settings).toMatchObject({
    sessionSeconds: 604_800,
    rateLimit: { passwordMax: 5, addressMax: 100, windowMilliseconds: 900_000 },
    origins: ['http://localhost:3000'],
    originConfigured: false,
    secureCookies: false,
    rpId: 'localhost',
    clientOrigins: [],
    accessCookie: null,
    androidApps: [],
    appleApps: [],
    appName: 'Latchkey',
    logo: null,
    logoOrigins: [],
    accent: null,
    homeUrl: null,
    termsUrl: null,
    privacyUrl: null,
    supportUrl: null,
    databaseUrl: 'file:./data/latchkey.db',
    redis: null,
    bcryptCost: 12,
    signUp: 'open',
    passwords: true,
    passwordMinLength: 8,
    userVerification: 'preferred',
    trustedProxies: 0,
    backendUrl: undefined,
    port: 3000,
    host: undefined,
    telemetry: null,
    webhooks: null,
    cronSecret: undefined,
    processLives: true,
  })
})

test('.env.example lists every setting', () => {
  const files = readdirSync('lib/settings', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const source = files.map((name) => readFileSync(`lib/settings/${name}`, 'utf8'))
  const names = new Set(
    source
      .join('')
      .match(/^ +[A-Z][A-Z_]+(?=: )/gm)
      ?.map((name) => name.trim()),
  )
  for (const setByVercel of ['VERCEL', 'VERCEL_PROJECT_PRODUCTION_URL']) names.delete(setByVercel)
  const listed = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  expect([...names].sort()).toEqual(listed.sort())
})

const wrong: [name: string, value: string, right: string][] = [
  ['JWT_SECRET', 'short', 'at least 32 bytes'],
  ['JWT_SECRET_PREVIOUS', 'short', 'at least 32 bytes'],
  ['JWT_SECRET_PREVIOUS', 'x'.repeat(64), 'must look random; generate one with: openssl rand -base64 48'],
  ['JWT_SECRET_PREVIOUS', JWT_SECRET, 'not the same'],
  ['JWT_EXPIRES_IN', '7', 'a number and a unit'],
  ['JWT_EXPIRES_IN', '0s', 'a number and a unit'],
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
  ['REDIS_URL', '127.0.0.1:6379', 'redis://HOST:PORT'],
  ['REDIS_URL', 'redis', 'redis://HOST:PORT'],
  ['REDIS_URL', 'redis:///0', 'redis://HOST:PORT'],
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
  ['APP_ORIGIN', `android:apk-key-hash:${'A'.repeat(43)}`, 'also name the address of the pages'],
  ['CLIENT_ORIGINS', 'app.example.com', 'such as https://app.example.com or capacitor://localhost'],
  ['CLIENT_ORIGINS', 'http://app.example.com', 'http on localhost only'],
  ['CLIENT_ORIGINS', 'https://app.example.com/path', '"https://app.example.com/path" is not one'],
  ['CLIENT_ORIGINS', 'https://me@app.example.com', 'is not one'],
  ['CLIENT_ORIGINS', 'https://*.example.com', 'name each origin in full'],
  ['CLIENT_ORIGINS', '*', 'has a wildcard'],
  ['CLIENT_ORIGINS', 'null', 'is not one'],
  ['CLIENT_ORIGINS', 'https://a.example,,https://b.example', '"" is not one'],
  ...['javascript://x', 'javascript:alert(1)', 'data:text/html,x', 'file://host', 'blob:https://a.example'].map(
    (origin): [string, string, string] => ['CLIENT_ORIGINS', origin.split(',')[0] ?? '', 'is not one'],
  ),
  ['ACCESS_COOKIE_DOMAIN', '.example.com', 'without a leading dot, such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'com', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', '192.168.7.7', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'https://example.com', 'such as example.com'],
  ['ACCESS_COOKIE_DOMAIN', 'example.com', 'APP_ORIGIN must be https; it is http://localhost:3000'],
  ['ANDROID_APPS', 'com.example.app', 'PACKAGE:FINGERPRINT'],
  ['ANDROID_APPS', `com.example.app:${'AB:'.repeat(31)}`, 'the SHA-256 of the signing certificate'],
  ['ANDROID_APPS', `app:${'AB'.repeat(32)}`, 'such as com.example.app'],
  ['APPLE_APPS', 'com.example.app', 'TEAMID.BUNDLE, such as A1B2C3D4E5.com.example.app'],
  ['APPLE_APPS', 'A1B2C3D4E5', 'TEAMID.BUNDLE'],
  ['BACKEND_URL', 'backend', "the backend's own address"],
  ['BACKEND_URL', 'ftp://backend.example', "the backend's own address"],
  ['BACKEND_URL', 'http://backend.example/api', "the backend's own address"],
  ['BACKEND_URL', 'http://localhost:3000', 'forward to itself'],
  ['OTEL_METRICS_EXPORTER', 'console', 'must be otlp, prometheus or none; "console" is not one'],
  ['OTEL_TRACES_EXPORTER', 'prometheus', 'must be otlp or none; "prometheus" is not one'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/protobuf or http/json'],
  ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'grpc', 'must be http/protobuf or http/json'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http', 'must be http/protobuf or http/json'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'a URL such as http://localhost:4318'],
  ['OTEL_EXPORTER_PROMETHEUS_PORT', '0', 'from 1 to 65535'],
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

test.describe('Redis', () => {
  test('REDIS_URL names one server, the nodes of a Redis Cluster, or Sentinels and what they watch', () => {
    const forms: [text: string, kind: string, hosts: string[]][] = [
      ['rediss://user:a,b@redis.example:6380/2', 'server', ['redis.example:6380']],
      ['redis://:p%40ss@a:7000, redis://:p%40ss@[::1]:7001', 'cluster', ['a:7000', '[::1]:7001']],
      ['redis+sentinel://:a,b@s1,s2:26380/main/1?sentinel_password=x', 'sentinel', ['s1', 's2:26380']],
    ]
    for (const [REDIS_URL, kind, hosts] of forms) {
      expect(read({ REDIS_URL }).settings?.redis).toEqual({ url: REDIS_URL, token: null })
      const address = parseRedisUrl(REDIS_URL)
      expect([address?.kind, address?.urls.map(({ host }) => host)]).toEqual([kind, hosts])
    }
  })

  const upstash = { UPSTASH_REDIS_REST_URL: 'https://x.upstash.io', UPSTASH_REDIS_REST_TOKEN: 'token' }

  test('settings name either a plain Redis or Upstash for rate limits, and are rejected with both', () => {
    const REDIS_URL = 'rediss://user:hunter2@redis.example:6380'
    expect(read({ REDIS_URL }).settings?.redis).toEqual({ url: REDIS_URL, token: null })
    expect(read(upstash).settings?.redis).toEqual({ url: 'https://x.upstash.io', token: 'token' })
    const { faults } = read({ REDIS_URL, ...upstash })
    expect(faults).toEqual([expect.stringMatching(/^REDIS_URL must not be set together with UPSTASH_REDIS_REST_URL/)])
  })

  test('the fault names the missing variable when only one of the two Upstash settings is set', () => {
    for (const [name, value] of Object.entries(upstash)) {
      const missing = Object.keys(upstash).find((other) => other !== name)
      expect(read({ [name]: value }).faults).toEqual([`${missing} must be set, because ${name} is`])
    }
    const bad = read({ ...upstash, UPSTASH_REDIS_REST_URL: 'redis://hunter2@x' }).faults
    expect(bad).toEqual([expect.stringMatching(/^UPSTASH_REDIS_REST_URL must be a REST URL/)])
  })
})

test('an empty variable counts as absent', () => {
  expect(read({ PORT: '', APP_NAME: '' }).settings).toMatchObject({ port: 3000, appName: 'Latchkey' })
})

test('a duration is read as a number and a unit', () => {
  const parse = (text: string) => duration('1s').safeParse(text).data
  expect(['90s', '15m', '2h', '7d', '1w', '15 m'].map(parse)).toEqual([
    90_000, 900_000, 7_200_000, 604_800_000, 604_800_000, 900_000,
  ])
  expect(['', 'm', '15', '15y', '-1m', '1.5h'].map(parse)).toEqual(Array(6).fill(undefined))
})
