import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { duration } from '@/lib/settings/fields'
import { parseRedisUrl } from '@/lib/settings/redis'
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

  const onVercel = { KV_REST_API_URL: 'https://x.upstash.io', KV_REST_API_TOKEN: 'token' }

  test("of REDIS_URL and the pair of Upstash's own names or its integration's, the pair counts on Vercel and REDIS_URL elsewhere", () => {
    const REDIS_URL = 'rediss://user:hunter2@redis.example:6380'
    expect(addressOf(REDIS_URL)?.urls.map(({ href }) => href)).toEqual([REDIS_URL])
    const rest = { kind: 'rest', url: 'https://x.upstash.io', token: 'token' }
    const vercel = { VERCEL: '1', DATABASE_URL: 'postgresql://h/d' }
    for (const pair of [upstash, onVercel]) {
      expect(read(pair).settings?.redis).toEqual(rest)
      expect(read({ REDIS_URL, ...pair }).settings?.redis).toMatchObject({ kind: 'tcp' })
      expect(read({ REDIS_URL, ...pair, ...vercel }).settings?.redis).toEqual(rest)
    }
    expect(read({ REDIS_URL, ...vercel }).settings?.redis).toMatchObject({ kind: 'tcp' })
  })

  test('the fault names the missing variable when only one of the two Upstash settings is set', () => {
    for (const pair of [upstash, onVercel])
      for (const [name, value] of Object.entries(pair)) {
        const missing = Object.keys(pair).find((other) => other !== name)
        const faults = [`${missing} must be set, because ${name} is`]
        expect(read({ [name]: value }).faults).toEqual(faults)
        expect(read({ [name]: value, REDIS_URL: 'redis://h' }).faults).toEqual(faults)
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

test('migrations connect to DATABASE_URL_UNPOOLED, in the schema of DATABASE_URL, and only where that is PostgreSQL', () => {
  const DATABASE_URL_UNPOOLED = 'postgresql://u:p@direct.example/d?sslmode=require'
  const urlFor = (given: object) => read({ DATABASE_URL_UNPOOLED, ...given }).settings?.migrationUrl
  expect(urlFor({ DATABASE_URL: 'postgresql://u:p@pooler.example/d?schema=Own' })).toBe(
    `${DATABASE_URL_UNPOOLED}&schema=Own`,
  )
  expect(urlFor({ DATABASE_URL: 'file:./x.db' })).toBe('file:./x.db')
  expect(read({ DATABASE_URL: 'postgresql://h/d' }).settings?.migrationUrl).toBe('postgresql://h/d')
  expect(read({ DATABASE_URL_UNPOOLED: 'nonsense' }).faults).toEqual([
    'DATABASE_URL_UNPOOLED must be postgresql://USER:PASSWORD@HOST/DATABASE',
  ])
})
