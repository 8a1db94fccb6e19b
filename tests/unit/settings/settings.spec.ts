import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { duration } from '@/lib/settings/fields/duration'
import { parseRedisUrl } from '@/lib/settings/redis-url'
import { JWT_SECRET } from '../../support/secret'
import { read } from '../../support/unit/settings'

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

test.describe('Redis', () => {
  function addressOf(REDIS_URL: string) {
    const redis = read({ REDIS_URL }).settings?.redis
    return redis?.kind === 'tcp' ? redis.address : null
  }

  test('REDIS_URL names one server, the nodes of a Redis Cluster, or Sentinels and what they watch', () => {
    const forms: [text: string, kind: string, hosts: string[]][] = [
      ['rediss://user:a,b@redis.example:6380/2', 'server', ['redis.example:6380']],
      ['redis://:p%40ss@a:7000, redis://:p%40ss@[::1]:7001', 'cluster', ['a:7000', '[::1]:7001']],
      ['redis+sentinel://:a,b@s1,s2:26380/main/1?sentinel_password=x', 'sentinel', ['s1', 's2:26380']],
    ]
    for (const [REDIS_URL, kind, hosts] of forms) {
      const address = addressOf(REDIS_URL)
      expect(address?.urls.map(({ href }) => href)).toEqual(parseRedisUrl(REDIS_URL)?.urls.map(({ href }) => href))
      expect([address?.kind, address?.urls.map(({ host }) => host)]).toEqual([kind, hosts])
    }
  })

  const upstash = { UPSTASH_REDIS_REST_URL: 'https://x.upstash.io', UPSTASH_REDIS_REST_TOKEN: 'token' }

  test('settings name either a plain Redis or Upstash for rate limits, and are rejected with both', () => {
    const REDIS_URL = 'rediss://user:hunter2@redis.example:6380'
    expect(addressOf(REDIS_URL)?.urls.map(({ href }) => href)).toEqual([REDIS_URL])
    expect(read(upstash).settings?.redis).toEqual({ kind: 'rest', url: 'https://x.upstash.io', token: 'token' })
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
